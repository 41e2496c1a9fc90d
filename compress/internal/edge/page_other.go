//go:build !linux

package edge

import "testing"

// Page returns a slice of length and capacity n: pages are protected on linux
// alone.
func Page(_ testing.TB, n int) []byte { return make([]byte, n) }
