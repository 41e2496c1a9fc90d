//go:build race

package race

// Enabled tells whether the race detector is built in.
const Enabled = true
