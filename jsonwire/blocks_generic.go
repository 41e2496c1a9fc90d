//go:build !amd64

package jsonwire

import (
	"unicode/utf8"
	"unsafe"
)

const haveBlocks = false

func formBlocks(dst, src unsafe.Pointer, n, slack int, c *blockConstants, t *[utf8.RuneSelf]uint64) (stored, done int) {
	return 0, 0
}
