package sshd

import (
	"os/exec"
	"syscall"
)

// dieWithParent ends the server with this process, however that ends.
func dieWithParent(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM}
}
