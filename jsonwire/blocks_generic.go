//go:build !amd64

package jsonwire

import "unsafe"

const haveBlocks = false

func copyBlocks(dst, src unsafe.Pointer, n int, c *blockConstants) int { return 0 }
