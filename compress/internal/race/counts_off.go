//go:build race || eddydebug

package race

// Counts tells whether counts of allocations hold.
const Counts = false
