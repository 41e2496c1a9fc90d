package jsonwire

import "unsafe"

// scanBlocks is formBlocks that only looks: it passes over blocks of 16 bytes, as long as a whole one is left of n and
// has no quote, backslash or control character in it and nothing that is not UTF-8, and returns how many bytes these
// are. Up to three of them may be the beginning of a character that is not complete. There must be n bytes at src.
//
//go:noescape
func scanBlocks(src unsafe.Pointer, n int, c *blockConstants) int
