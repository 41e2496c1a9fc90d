package sftp

import (
	"encoding/binary"
	"errors"
	"io"
	"slices"
	"sync"
	"time"

	"golang.org/x/crypto/ssh"
)

// A way is how a wire is cut.
type way string

const (
	// torn: a packet of the client finds the connection broken.
	torn way = "torn"
	// drained: a packet of the client and what follows get lost; the server answers what it has got, and ends.
	drained way = "drained"
	// silenced: behind a packet of the server the connection breaks.
	silenced way = "silenced"
)

var errCut = errors.New("cut")

// A wire is what goes between a client and its server, over one channel or several, packet by packet. It lets so many
// packets through and is then cut, and knows what has been answered until then.
type wire struct {
	way way
	// packets is how many go through of the direction that is cut.
	packets int
	// alone cuts only the channel that is hit, if that is not the first.
	alone bool
	// striped makes the first channel wait for others to have a part in the transfer.
	striped bool

	mu       sync.Mutex
	cut      bool // something was cut
	ends     []*end
	answered []span // of READ, what came; of WRITE, what was acknowledged
	over     map[*end]bool
}

type span struct{ from, to int64 }

// prefix is up to where everything was answered.
func (x *wire) prefix() (n int64) {
	x.mu.Lock()
	defer x.mu.Unlock()
	slices.SortFunc(x.answered, func(a, b span) int { return int(a.from - b.from) })
	for _, s := range x.answered {
		if s.from <= n {
			n = max(n, s.to)
		}
	}
	return n
}

// channels is over how many something was answered.
func (x *wire) channels() int {
	x.mu.Lock()
	defer x.mu.Unlock()
	return len(x.over)
}

func (x *wire) isCut() bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.cut
}

// through counts a packet of e, and tells whether it goes through.
func (x *wire) through(e *end, fromServer bool) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	if !x.cut && fromServer == (x.way == silenced) {
		if x.packets--; x.packets < 0 {
			x.cut = true
			for _, o := range x.ends {
				if x.alone && e != x.ends[0] && o != e {
					continue
				}
				o.cut = true
				if x.way == drained {
					o.w.Close()
				} else {
					go o.kill() // it may have to wait for a Write that is under way
				}
			}
		}
	}
	return !e.cut
}

// whole tells whether the first channel is not cut.
func (x *wire) whole() bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return !x.ends[0].cut
}

// An end is one channel of a wire.
type end struct {
	x    *wire
	r    io.Reader
	w    io.WriteCloser
	kill func()
	cut  bool
	// first is set of the channel that the client began with.
	first bool
	in    []byte // what is left of a packet of the server
	out   []byte // a packet of the client that is not whole yet

	asked map[uint32]span // READs and WRITEs by their id
}

// add makes a channel part of the wire.
func (x *wire) add(r io.Reader, w io.WriteCloser, kill func()) *end {
	e := &end{x: x, r: r, w: w, kill: kill, asked: map[uint32]span{}}
	x.mu.Lock()
	defer x.mu.Unlock()
	e.first = len(x.ends) == 0
	x.ends = append(x.ends, e)
	return e
}

func (e *end) isCut() bool {
	e.x.mu.Lock()
	defer e.x.mu.Unlock()
	return e.cut
}

func (e *end) Read(p []byte) (int, error) {
	if len(e.in) == 0 {
		if err := e.receive(); err != nil {
			return 0, err
		}
	}
	n := copy(p, e.in)
	e.in = e.in[n:]
	return n, nil
}

func (e *end) receive() error {
	err := func() error {
		var h [4]byte
		if _, err := io.ReadFull(e.r, h[:]); err != nil {
			return err
		}
		e.in = append(h[:], make([]byte, binary.BigEndian.Uint32(h[:]))...)
		_, err := io.ReadFull(e.r, e.in[4:])
		return err
	}()
	if err == nil && e.x.striped && e.first && e.in[4] == 103 {
		e.x.wait(500 * time.Millisecond)
	}
	if err == nil && (e.x.through(e, true) || e.x.way == drained) {
		e.x.answer(e, e.in[4:])
		return nil
	}
	e.in = nil
	if e.isCut() && e.x.way != drained {
		return errCut
	}
	return err
}

// wait waits until another channel has answered something, but not longer than d.
func (x *wire) wait(d time.Duration) {
	for end := time.Now().Add(d); time.Now().Before(end); time.Sleep(d / 10) {
		x.mu.Lock()
		enough := x.cut
		for e := range x.over {
			enough = enough || !e.first
		}
		x.mu.Unlock()
		if enough {
			return
		}
	}
}

// answer takes note of what a packet of the server answers.
func (x *wire) answer(e *end, p []byte) {
	const status, data = 101, 103
	if len(p) < 9 || p[0] != status && p[0] != data {
		return
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	s, ok := e.asked[binary.BigEndian.Uint32(p[1:])]
	n := binary.BigEndian.Uint32(p[5:]) // the length of DATA, the code of STATUS
	if !ok || p[0] == status && n != 0 {
		return
	}
	if p[0] == data {
		s.to = s.from + int64(n)
	}
	x.answered = append(x.answered, s)
	if x.over == nil {
		x.over = map[*end]bool{}
	}
	x.over[e] = true
}

func (e *end) Write(p []byte) (int, error) {
	e.out = append(e.out, p...)
	for len(e.out) >= 4 {
		n := 4 + int(binary.BigEndian.Uint32(e.out))
		if len(e.out) < n {
			break
		}
		if !e.x.through(e, false) {
			if e.x.way == torn {
				return 0, errCut
			}
			return len(p), nil
		}
		e.ask(e.out[4:n])
		if _, err := e.w.Write(e.out[:n]); err != nil {
			if e.isCut() && e.x.way != torn {
				return len(p), nil
			}
			if e.isCut() {
				err = errCut
			}
			return 0, err
		}
		e.out = e.out[n:]
	}
	return len(p), nil
}

// ask takes note of a READ or WRITE.
func (e *end) ask(p []byte) {
	const read, write = 5, 6
	if p[0] != read && p[0] != write {
		return
	}
	id, at := binary.BigEndian.Uint32(p[1:]), p[9+binary.BigEndian.Uint32(p[5:]):]
	off := int64(binary.BigEndian.Uint64(at))
	e.x.mu.Lock()
	e.asked[id] = span{off, off + int64(binary.BigEndian.Uint32(at[8:]))}
	e.x.mu.Unlock()
	if p[0] == write && e.x.striped && e.first && off > 4<<20 {
		e.x.wait(4 * time.Millisecond) // not longer: the file must be seen to grow
	}
}

func (e *end) Close() error { return e.w.Close() }

// conn makes every further channel of a connection part of the wire.
func (x *wire) conn(c *ssh.Client) *ssh.Client { return &ssh.Client{Conn: wiredConn{c, x}} }

type wiredConn struct {
	ssh.Conn
	x *wire
}

func (c wiredConn) OpenChannel(name string, data []byte) (ssh.Channel, <-chan *ssh.Request, error) {
	if c.x.isCut() {
		return nil, nil, errCut
	}
	ch, requests, err := c.Conn.OpenChannel(name, data)
	if err != nil {
		return nil, nil, err
	}
	return &wiredChannel{ch, c.x.add(ch, halfClose{ch}, func() { ch.Close() })}, requests, nil
}

type wiredChannel struct {
	ssh.Channel
	e *end
}

func (c *wiredChannel) Read(p []byte) (int, error)  { return c.e.Read(p) }
func (c *wiredChannel) Write(p []byte) (int, error) { return c.e.Write(p) }
