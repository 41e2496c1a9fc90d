//go:build !race && !eddydebug

package race

// Counts tells whether counts of allocations hold: the race detector makes
// sync.Pool drop a part of what it is given, and the eddydebug build keeps the
// stacks of those who got and put.
const Counts = true
