//go:build !race

// Package race tells tests whether the race detector is on.
package race

// Enabled tells whether the race detector is built in.
const Enabled = false
