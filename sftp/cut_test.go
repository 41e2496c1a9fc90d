package sftp

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// The connection is cut after every packet of a small transfer, with a real server on the other side.
func TestCutAfterEveryPacket(t *testing.T) {
	bin, _ := opensshServer(t)
	if bin == "" {
		return // the scripted server is cut in TestFaultAtEveryPacket
	}
	dir := t.TempDir()
	want := content(5000)
	name := filepath.Join(dir, "f")
	if err := os.WriteFile(name, want, 0o600); err != nil {
		t.Fatal(err)
	}
	for k := 0; ; k++ {
		cmd := exec.Command(bin)
		w, _ := cmd.StdinPipe()
		r, _ := cmd.StdoutPipe()
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		cut := &cutter{w: w, packets: k + 2, kill: func() { cmd.Process.Kill() }}
		c, err := NewClientPipe(r, cut, MaxPacket(900))
		if err == nil {
			var b bytes.Buffer
			f, err := c.Open(name)
			if err == nil {
				n, err := f.WriteTo(&b)
				mustPrefix(t, b.Bytes(), want)
				if n != int64(b.Len()) || err == nil && n != int64(len(want)) {
					t.Errorf("cut after %d: %d bytes, %v", k, n, err)
				}
				if err != nil && !errors.Is(err, ErrSSHFxConnectionLost) {
					t.Errorf("cut after %d: %v", k, err)
				}
				f.Close()
			}
			up := filepath.Join(dir, fmt.Sprint("up", k))
			if f, err := c.Create(up); err == nil {
				n, err := f.ReadFrom(bytes.NewReader(want))
				on, _ := os.ReadFile(up)
				if int64(len(on)) < n || !bytes.Equal(on[:n], want[:n]) || err == nil && n != int64(len(want)) {
					t.Errorf("cut after %d: %d bytes sent, %v", k, n, err)
				}
				f.Close()
			}
			c.Close()
		}
		w.Close()
		cmd.Process.Kill()
		cmd.Wait()
		if !cut.done {
			break
		}
	}
}

// A cutter kills the server once so many packets have been sent.
type cutter struct {
	w       io.WriteCloser
	packets int
	kill    func()
	done    bool
	held    []byte
}

func (c *cutter) Write(p []byte) (int, error) {
	c.held = append(c.held, p...)
	for len(c.held) >= 4 {
		n := 4 + int(c.held[0])<<24 + int(c.held[1])<<16 + int(c.held[2])<<8 + int(c.held[3])
		if len(c.held) < n {
			break
		}
		if c.packets--; c.packets < 0 {
			c.done = true
			c.kill()
			return 0, io.ErrClosedPipe
		}
		if _, err := c.w.Write(c.held[:n]); err != nil {
			return 0, err
		}
		c.held = c.held[n:]
	}
	return len(p), nil
}

func (c *cutter) Close() error { return c.w.Close() }
