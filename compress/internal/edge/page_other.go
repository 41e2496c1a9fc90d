//go:build !linux

package edge

import "testing"

// pages are protected on linux alone.
func pages(_ testing.TB, n int) []byte { return make([]byte, n) }
