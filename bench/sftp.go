package main

import (
	"fmt"
	"time"

	"github.com/eddy-go/eddy/bench/internal/table"
)

func init() { register("sftp", sftpTable) }

const (
	sftpSize    = 10 << 20
	sftpLong    = 256 << 20
	sftpDelayed = 64 << 20
	// sftpSlow is moved instead where a row waits for each WRITE, so that its time is known from a part.
	sftpSlow = 1 << 20
)

func sftpTable() (*table.Table, error) {
	h, err := newSFTPHost()
	if err != nil {
		return nil, err
	}
	t := &table.Table{
		Name:  "sftp",
		Title: "open, move 10 MiB (unless named), close; " + h.what(),
		Peer:  "pkgsftp",
	}
	for _, w := range sftpWays {
		t.Cases = append(t.Cases, h.pipeCase(w))
	}
	for _, ms := range []int{10, 50, 150} {
		t.Cases = append(t.Cases, h.delayCase(sftpWays[0], time.Duration(ms)*time.Millisecond))
	}
	for _, ms := range []int{10, 50} {
		t.Cases = append(t.Cases, h.delayCase(sftpWays[1], time.Duration(ms)*time.Millisecond))
	}
	if h.hasSSHD() {
		t.Cases = append(t.Cases, h.sshCase(0, false), h.cpuCase())
		for _, ms := range []int{5, 25, 75} {
			t.Cases = append(t.Cases, h.sshCase(time.Duration(ms)*time.Millisecond, false), h.sshCase(time.Duration(ms)*time.Millisecond, true))
		}
	}
	return t, nil
}

// pipeCase moves a file over the pipes of a server's process.
func (h *sftpHost) pipeCase(w sftpWay) table.Case {
	c := table.Case{Name: w.name, Main: true, Bytes: sftpSize}
	for _, row := range sftpRows {
		var s *sftpSession
		c.Impls = append(c.Impls, table.Impl{
			Name: row.name, Config: row.config,
			Check: func() (err error) {
				if s, err = h.overPipes(row, 0); err != nil {
					return err
				}
				return s.check(w, sftpSize)
			},
			Run: func(n int) {
				for range n {
					s.must(w, sftpSize)
				}
			},
			Done: func() { s.close() },
		})
	}
	c.Impls = append(c.Impls, table.Impl{
		Name: "floor", Config: "the bytes alone through a pipe, in pieces of 64 KiB",
		Run: func(n int) {
			for range n {
				floorPipe(sftpSize)
			}
		},
	})
	return c
}

// delayCase is pipeCase with requests that reach the server late, as the peer's own benchmark does it.
func (h *sftpHost) delayCase(w sftpWay, delay time.Duration) table.Case {
	c := table.Case{Name: fmt.Sprintf("%s_delay%d", w.name, delay.Milliseconds()), Bytes: sftpSize}
	c.Main = !w.up && delay == 10*time.Millisecond
	c.Slow = !c.Main
	for _, row := range sftpRows {
		var s *sftpSession
		var once float64
		config := row.config
		slow := w.up && row.name == "pkgsftp"
		if slow {
			config += "; 1 MiB moved once, times 10"
		}
		c.Impls = append(c.Impls, table.Impl{
			Name: row.name, Config: config,
			Check: func() (err error) {
				if s, err = h.overPipes(row, delay); err != nil || slow {
					return err
				}
				return s.check(w, sftpSize)
			},
			Sample: func() float64 {
				if once > 0 {
					return once
				}
				if slow {
					once = s.timed(w, sftpSlow) * (sftpSize / sftpSlow)
					return once
				}
				return s.timed(w, sftpSize)
			},
			Done: func() { s.close() },
		})
	}
	trips := 2
	if w.up {
		trips = 3 // its CLOSE tells whether all is well
	}
	c.Impls = append(c.Impls, table.Impl{
		Name: "floor", Config: fmt.Sprintf("%d round trips and nothing else", trips),
		Sample: func() float64 {
			start := time.Now()
			time.Sleep(time.Duration(trips) * delay)
			return float64(time.Since(start))
		},
	})
	return c
}

// sshCase moves a file through a real SSH server on loopback, through a proxy that delays each way.
func (h *sftpHost) sshCase(delay time.Duration, up bool) table.Case {
	c := table.Case{Name: "ssh_256MiB", Slow: true, Bytes: sftpLong}
	w := sftpWays[0]
	if delay > 0 {
		c = table.Case{Name: fmt.Sprintf("ssh_64MiB_delay%d", delay.Milliseconds()), Slow: true, Bytes: sftpDelayed}
		if up {
			c.Name += "_up"
			w = sftpWays[1]
		}
	}
	size := c.Bytes
	for _, row := range sftpRows {
		var s *sftpSession
		few := few{most: 3}
		config := row.config + "; at most 3 rounds"
		slow := up && row.name == "pkgsftp"
		if slow {
			few.most = 1
			config = row.config + "; 1 MiB moved once, times 64"
		}
		c.Impls = append(c.Impls, table.Impl{
			Name: row.name, Config: config,
			Check: func() (err error) {
				if s, err = h.overSSH(row, delay); err != nil || slow {
					return err
				}
				return s.check(w, size)
			},
			Sample: func() float64 {
				return few.sample(func() float64 {
					if slow {
						return s.timed(w, sftpSlow) * float64(size/sftpSlow)
					}
					return s.timed(w, size)
				})
			},
			Done: func() { s.close() },
		})
	}
	if client := h.opensshRow(delay, up, size); client != nil {
		c.Impls = append(c.Impls, *client)
	}
	if !up {
		var raw *sftpSession
		few := few{most: 3}
		c.Impls = append(c.Impls, table.Impl{
			Name: "cat", Config: "cat on the server through one channel: encryption and its window, no SFTP; at most 3 rounds",
			Check: func() (err error) {
				raw, err = h.overSSH(sftpRow{}, delay)
				return err
			},
			Sample: func() float64 { return few.sample(func() float64 { return raw.cat(h.file(size)) }) },
			Done:   func() { raw.close() },
		})
	}
	return c
}

// cpuCase is what a download costs the client's processor.
func (h *sftpHost) cpuCase() table.Case {
	c := table.Case{Name: "ssh_256MiB_cpu", Slow: true, Unit: "ms"}
	for _, row := range sftpRows {
		var s *sftpSession
		few := few{most: 5}
		c.Impls = append(c.Impls, table.Impl{
			Name: row.name, Config: row.config + "; at most 5 rounds",
			Check: func() (err error) {
				s, err = h.overSSH(row, 0)
				return err
			},
			Sample: func() float64 {
				return few.sample(func() float64 {
					before := cpuTime()
					s.must(sftpWays[0], sftpLong)
					return float64(cpuTime()-before) / 1e6
				})
			},
			Done: func() { s.close() },
		})
	}
	return c
}

// few are the samples of a row that takes long: after most of them they are given again in turns, so that each counts the
// same in the medians.
type few struct {
	most int
	got  []float64
	next int
}

func (f *few) sample(take func() float64) float64 {
	if len(f.got) < f.most {
		f.got = append(f.got, take())
		return f.got[len(f.got)-1]
	}
	v := f.got[f.next%len(f.got)]
	f.next++
	return v
}
