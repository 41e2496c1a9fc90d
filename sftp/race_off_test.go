//go:build !race

package sftp

const raceEnabled = false
