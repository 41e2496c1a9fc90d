//go:build !amd64

package jsonwire

import "unsafe"

func scanBlocks(src unsafe.Pointer, n int, c *blockConstants) int { return 0 }
