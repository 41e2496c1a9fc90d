package main

import (
	"os/exec"
	"syscall"
)

// dieWithParent ends a server with the benchmark, however that ends.
func dieWithParent(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM}
}
