//go:build !race

package jsonserialization_test

const raceEnabled = false
