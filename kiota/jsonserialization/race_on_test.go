//go:build race

package jsonserialization_test

// The race detector allocates as well.
const raceEnabled = true
