//go:build !amd64

package jsonwire

import "unsafe"

const haveBlocks = false

func formBlocks(dst, src unsafe.Pointer, n, slack int, t *formTable) (stored, done int) {
	return 0, 0
}
