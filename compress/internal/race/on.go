//go:build race

package race

// Enabled tells whether the race detector is built in: sync.Pool then drops a
// part of what it is given, and counts of allocations do not hold.
const Enabled = true
