//go:build eddydebug

package jsonserialization_test

// The checks of pooled memory allocate, and hold memory back for a while.
const debugEnabled = true
