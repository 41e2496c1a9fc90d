// Package race tells tests whether the race detector is on. The detector makes sync.Pool drop a part of what it is
// given, on purpose, so tests that count allocations do not hold under it.
package race
