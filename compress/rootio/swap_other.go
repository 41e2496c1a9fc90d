//go:build !amd64 || purego

package rootio

// swapBlocks leaves all to the loops over words.
func swapBlocks(b []byte, _ int) []byte { return b }
