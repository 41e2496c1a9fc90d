package jsonwire

import "unsafe"

// haveBlocks tells that the processor can do what formBlocks needs, SSSE3, as
// all have since 2011.
var haveBlocks = cpuidFeatures()>>9&1 != 0

// formBlocks forms the inside of a JSON string, as [Form] does, in blocks of
// 16 bytes. It returns the number of bytes stored and of those read: all n, or
// those in front of a block that has U+2028, U+2029 or what is not UTF-8 in
// it, or of an ASCII character for whose escape there is no room. If it is less
// than n, up to three of the bytes may be the beginning of a character that is
// not complete. There must be n > 0 bytes at src and n+16+slack at dst, of which
// it may overwrite any. It may load up to 15 bytes in front of src or behind
// its end, in the same page, and ignores them.
//
// What holds at each store of a block: as many bytes as are left to read, 16
// and the slack are left at dst. Copying moves both places alike, and an
// escape takes what it is longer than its character from the slack.
//
// UTF-8 is validated as in: Keiser and Lemire, Validating UTF-8 In Less Than
// One Instruction Per Byte, 2021.
//
//go:noescape
func formBlocks(dst, src unsafe.Pointer, n, slack int, t *formTable) (stored, done int)

// cpuidFeatures returns the register CX of CPUID leaf 1.
//
//go:noescape
func cpuidFeatures() uint32
