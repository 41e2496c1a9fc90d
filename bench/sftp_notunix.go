//go:build !unix

package main

import "time"

// cpuTime is not known here. There is no sshd either for the case that would tell it.
func cpuTime() time.Duration { return 0 }
