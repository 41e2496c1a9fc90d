// Package fakeserver is an SFTP server that does what a test tells it: it serves files from memory, and any answer can be
// replaced, delayed, withheld or broken.
package fakeserver

import (
	"encoding/binary"
	"io"
	"slices"
	"sync"
	"time"
)

// Packet types, as in the protocol.
const (
	Init, Version                                          = 1, 2
	Open, Close, Read, Write, Lstat, Fstat                 = 3, 4, 5, 6, 7, 8
	Setstat, Fsetstat, Opendir, Readdir, Remove, Mkdir     = 9, 10, 11, 12, 13, 14
	Rmdir, Realpath, Stat, Rename, Readlink, Symlink       = 15, 16, 17, 18, 19, 20
	StatusType, HandleType, DataType, NameType, AttrsType  = 101, 102, 103, 104, 105
	Extended, ExtendedReply                                = 200, 201
	OK, EOF, NoSuchFile, Denied, Failure, Bad, Unsupported = 0, 1, 2, 3, 4, 5, 8
	SizeFlag, OwnerFlag, ModeFlag, TimesFlag               = 1, 2, 4, 8
	OpenRead, OpenWrite, OpenAppend                        = 1, 2, 4
	OpenCreate, OpenTrunc, OpenExcl                        = 8, 16, 32
)

// A Node is a file or a directory.
type Node struct {
	Data  []byte
	Mode  uint32 // with the type; 0 for a regular file
	Flags uint32 // attributes that are told; 0 for all
	Size  int64  // told as the size when it is not 0
	Names []string
	links string
}

// A Request is a packet of the client.
type Request struct {
	Conn   int // counting from 0
	N      int // counting from 0, of all
	Nth    int // counting from 0, of the type
	Type   byte
	ID     uint32
	Path   string // also of what the handle belongs to
	Path2  string // of RENAME and SYMLINK; the name of an extension
	Handle string
	Flags  uint32
	Off    int64
	Len    int
	Data   []byte
	Attrs  []byte
	Body   []byte // all after the id
}

// An Answer is what goes out instead of the usual.
type Answer struct {
	Packet []byte        // type and what is behind the id
	Raw    []byte        // goes out as it is, instead
	None   bool          // no answer at all
	Hangup bool          // the connection is closed instead
	After  bool          // the connection is closed behind the answer
	Delay  time.Duration // on top of the latency
	More   *Answer       // sent as well
}

// A Server serves one client, over one connection or several. Its fields are set before Serve, except that FS may change under Lock.
type Server struct {
	sync.Mutex
	FS      map[string]*Node
	Ext     [][2]string
	Limits  [4]uint64 // announced when not all zero
	MaxRead int       // DATA has at most so many bytes
	// Latency delays answers, Jitter each one differently, so that they come in another order.
	Latency time.Duration
	Jitter  func(n int) time.Duration
	// Window, if set, is how many bytes of files a connection moves in the time of the latency.
	Window int
	// Hook may replace an answer: it is called before a request is carried out, and if it returns nil that is done.
	Hook func(*Request) *Answer
	// Late may replace the usual answer, after the request was carried out.
	Late func(*Request, []byte) *Answer
	// Greeting replaces the VERSION packet.
	Greeting []byte
	// Append makes WRITEs to files opened with APPEND go to the end whatever their offset.
	Append bool

	Log       []Request // Data and Body left out
	Pending   int       // requests not yet answered
	MostAsked int       // the largest Pending
	handles   map[string]*handle
	next      int // request
	opened    int // handles so far
	perType   [256]int
	conns     int
}

type handle struct {
	path  string
	flags uint32
	names []string
}

// New returns a server with a file "f" of data.
func New(data []byte) *Server {
	return &Server{FS: map[string]*Node{"f": {Data: data}, "/": {Mode: 0o40755}, ".": {Mode: 0o40755}}}
}

// Count returns how many requests of a type came.
func (s *Server) Count(typ byte) int {
	s.Lock()
	defer s.Unlock()
	return s.perType[typ]
}

// OpenHandles returns how many handles are open.
func (s *Server) OpenHandles() int {
	s.Lock()
	defer s.Unlock()
	return len(s.handles)
}

type due struct {
	at time.Time
	a  *Answer
	id uint32
}

// Serve speaks with a client until the connection ends, and closes both streams.
func (s *Server) Serve(r io.ReadCloser, w io.WriteCloser) {
	s.Lock()
	if s.handles == nil {
		s.handles = map[string]*handle{}
	}
	conn := s.conns
	s.conns++
	s.Unlock()
	answers := make(chan due, 1<<16)
	stop := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() { s.send(w, answers, stop, r) })
	defer func() {
		close(answers)
		wg.Wait()
		r.Close()
		w.Close()
	}()
	var busy time.Time // until when the window is taken
	for {
		var h [4]byte
		if _, err := io.ReadFull(r, h[:]); err != nil {
			return
		}
		b := make([]byte, binary.BigEndian.Uint32(h[:]))
		if _, err := io.ReadFull(r, b); err != nil {
			return
		}
		if b[0] == Init {
			answers <- due{time.Now().Add(s.Latency), &Answer{Raw: s.version()}, 0}
			continue
		}
		s.Lock()
		q := s.parse(conn, b)
		var a *Answer
		if s.Hook != nil {
			s.Unlock()
			a = s.Hook(q)
			s.Lock()
		}
		if a == nil {
			p := s.do(q)
			if s.Late != nil {
				a = s.Late(q, p)
			}
			if a == nil {
				a = &Answer{Packet: p}
			}
		}
		s.Pending++
		s.MostAsked = max(s.MostAsked, s.Pending)
		at := time.Now().Add(s.Latency + a.Delay)
		if n := len(a.Packet); s.Window > 0 && n > 1000 {
			if now := time.Now(); busy.Before(now) {
				busy = now
			}
			busy = busy.Add(s.Latency * time.Duration(n) / time.Duration(s.Window))
			if late := busy.Add(s.Latency / 2); late.After(at) {
				at = late
			}
		}
		if s.Jitter != nil {
			at = at.Add(s.Jitter(q.N))
		}
		s.Unlock()
		if n := len(q.Data); s.Window > 0 && n > 1000 {
			// Nothing more is taken before, so that the client has to wait.
			time.Sleep(s.Latency * time.Duration(n) / time.Duration(s.Window))
		}
		select {
		case answers <- due{at, a, q.ID}:
		case <-stop:
			return
		}
	}
}

// send sends answers when they are due.
func (s *Server) send(w io.WriteCloser, answers chan due, stop chan struct{}, r io.Closer) {
	defer close(stop)
	hangup := func() {
		w.Close()
		r.Close()
	}
	var queue []due
	open := true
	for open || len(queue) > 0 {
		var timer <-chan time.Time
		if len(queue) > 0 {
			wait := time.Until(queue[0].at)
			if wait <= 0 {
				d := queue[0]
				queue = queue[1:]
				if !s.write(w, d) {
					hangup()
					return
				}
				continue
			}
			timer = time.After(wait)
		}
		in := answers
		if !open {
			in = nil
		}
		select {
		case d, ok := <-in:
			if !ok {
				open = false
				continue
			}
			i, _ := slices.BinarySearchFunc(queue, d, func(a, b due) int {
				if a.at.After(b.at) {
					return 1
				}
				return -1
			})
			queue = slices.Insert(queue, i, d)
		case <-timer:
		}
	}
}

func (s *Server) write(w io.Writer, d due) bool {
	for a := d.a; a != nil; a = a.More {
		if a.Hangup {
			return false
		}
		if a.None {
			continue
		}
		b := a.Raw
		if b == nil {
			b = binary.BigEndian.AppendUint32(nil, uint32(4+len(a.Packet)))
			b = append(b, a.Packet[0])
			b = binary.BigEndian.AppendUint32(b, d.id)
			b = append(b, a.Packet[1:]...)
		}
		if d.id != 0 || a.Packet != nil {
			s.Lock()
			s.Pending--
			s.Unlock()
		}
		if _, err := w.Write(b); err != nil || a.After {
			return false
		}
	}
	return true
}

func (s *Server) version() []byte {
	if s.Greeting != nil {
		return s.Greeting
	}
	b := binary.BigEndian.AppendUint32([]byte{Version}, 3)
	ext := s.Ext
	if s.Limits != [4]uint64{} {
		ext = append(slices.Clip(ext), [2]string{"limits@openssh.com", "1"})
	}
	for _, e := range ext {
		b = appendString(appendString(b, e[0]), e[1])
	}
	return append(binary.BigEndian.AppendUint32(nil, uint32(len(b))), b...)
}
