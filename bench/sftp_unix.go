//go:build unix

package main

import (
	"syscall"
	"time"
)

// cpuTime is what this process has taken of the processors.
func cpuTime() time.Duration {
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
