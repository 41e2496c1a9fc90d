package jsonwire

import "unsafe"

// haveBlocks tells that the processor can do what copyBlocks needs, SSSE3, as
// all have since 2011.
var haveBlocks = cpuidFeatures()>>9&1 != 0

// copyBlocks copies bytes from src to dst in blocks of 16, as long as a block
// has nothing in it that is escaped or is not UTF-8. It returns the number of
// bytes copied: n, or a multiple of 16, in front of a block that has, or of a
// rest of less than a block if n is less than 32. Up to three of the bytes may
// be the beginning of a character that is not complete. It may also store one
// block more. There must be n bytes at src and at dst, and n be at least 16.
//
// UTF-8 is validated as in: Keiser and Lemire, Validating UTF-8 In Less Than
// One Instruction Per Byte, 2021.
//
//go:noescape
func copyBlocks(dst, src unsafe.Pointer, n int, c *blockConstants) int

// cpuidFeatures returns the register CX of CPUID leaf 1.
//
//go:noescape
func cpuidFeatures() uint32
