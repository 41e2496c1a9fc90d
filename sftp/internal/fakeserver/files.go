package fakeserver

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
)

func appendString(b []byte, s string) []byte {
	return append(binary.BigEndian.AppendUint32(b, uint32(len(s))), s...)
}

// Status is an answer.
func Status(code uint32, text string) []byte {
	b := binary.BigEndian.AppendUint32([]byte{StatusType}, code)
	return appendString(appendString(b, text), "en")
}

// Data is an answer.
func Data(p []byte) []byte { return appendString([]byte{DataType}, string(p)) }

// Handle is an answer.
func Handle(h string) []byte { return appendString([]byte{HandleType}, h) }

// Names is an answer; each name has the attributes that follow it.
func Names(namesAndAttrs ...string) []byte {
	b := binary.BigEndian.AppendUint32([]byte{NameType}, uint32(len(namesAndAttrs)/2))
	for i := 0; i < len(namesAndAttrs); i += 2 {
		b = appendString(appendString(b, namesAndAttrs[i]), "long")
		b = append(b, namesAndAttrs[i+1]...)
	}
	return b
}

// NoAttrs are attributes of which none is told.
const NoAttrs = "\x00\x00\x00\x00"

// Attrs are those of n.
func (n *Node) Attrs() []byte {
	flags := n.Flags
	if flags == 0 {
		flags = SizeFlag | OwnerFlag | ModeFlag | TimesFlag
	}
	b := binary.BigEndian.AppendUint32(nil, flags)
	if flags&SizeFlag != 0 {
		size := n.Size
		if size == 0 {
			size = int64(len(n.Data))
		}
		if size < 0 {
			size = 0
		}
		b = binary.BigEndian.AppendUint64(b, uint64(size))
	}
	if flags&OwnerFlag != 0 {
		b = binary.BigEndian.AppendUint64(b, 7<<32|8)
	}
	if flags&ModeFlag != 0 {
		mode := n.Mode
		if mode == 0 {
			mode = 0o100644
		}
		b = binary.BigEndian.AppendUint32(b, mode)
	}
	if flags&TimesFlag != 0 {
		b = binary.BigEndian.AppendUint64(b, 1000<<32|2000)
	}
	return b
}

type fields struct{ b []byte }

func (f *fields) uint32() uint32 {
	v := binary.BigEndian.Uint32(f.b)
	f.b = f.b[4:]
	return v
}

func (f *fields) uint64() uint64 {
	v := binary.BigEndian.Uint64(f.b)
	f.b = f.b[8:]
	return v
}

func (f *fields) string() string {
	n := f.uint32()
	v := string(f.b[:n])
	f.b = f.b[n:]
	return v
}

func (s *Server) parse(conn int, b []byte) *Request {
	q := &Request{Conn: conn, N: s.next, Type: b[0], ID: binary.BigEndian.Uint32(b[1:]), Body: b[5:]}
	s.next++
	q.Nth = s.perType[q.Type]
	s.perType[q.Type]++
	f := &fields{b[5:]}
	switch q.Type {
	case Open:
		q.Path, q.Flags = f.string(), f.uint32()
	case Close, Fstat, Readdir:
		q.Handle = f.string()
	case Read:
		q.Handle, q.Off, q.Len = f.string(), int64(f.uint64()), int(f.uint32())
	case Write:
		q.Handle, q.Off = f.string(), int64(f.uint64())
		q.Data = []byte(f.string())
		q.Len = len(q.Data)
	case Fsetstat:
		q.Handle, q.Attrs = f.string(), f.b
	case Setstat:
		q.Path, q.Attrs = f.string(), f.b
	case Rename, Symlink:
		q.Path, q.Path2 = f.string(), f.string()
	case Extended:
		q.Path2 = f.string()
	default:
		q.Path = f.string()
	}
	if h := s.handles[q.Handle]; h != nil && q.Path == "" {
		q.Path = h.path
	}
	l := *q
	l.Data, l.Body, l.Attrs = nil, nil, nil
	s.Log = append(s.Log, l)
	return q
}

func clean(p string) string {
	if p = strings.TrimSuffix(p, "/"); p == "" {
		return "/"
	}
	return p
}

// do carries out a request and returns the usual answer. The lock is held.
func (s *Server) do(q *Request) []byte {
	ok := Status(OK, "")
	q.Path = clean(q.Path)
	n := s.FS[q.Path]
	switch q.Type {
	case Open:
		if n == nil && q.Flags&OpenCreate == 0 {
			return Status(NoSuchFile, "none")
		}
		if n != nil && q.Flags&OpenExcl != 0 {
			return Status(Failure, "exists")
		}
		if n == nil {
			n = &Node{}
			s.FS[q.Path] = n
		}
		if q.Flags&OpenTrunc != 0 {
			n.Data = nil
		}
		return s.open(&handle{path: q.Path, flags: q.Flags})
	case Opendir:
		if n == nil || n.Mode&0o170000 != 0o40000 {
			return Status(NoSuchFile, "none")
		}
		h := &handle{path: q.Path, names: slices.Clone(n.Names)}
		if n.Names == nil {
			for name := range s.FS {
				if dir, file := split(name); dir == q.Path && file != "" {
					h.names = append(h.names, file)
				}
			}
			slices.Sort(h.names)
		}
		return s.open(h)
	case Stat, Lstat:
		if n == nil {
			return Status(NoSuchFile, "none")
		}
		return append([]byte{AttrsType}, n.Attrs()...)
	case Setstat:
		if n == nil {
			return Status(NoSuchFile, "none")
		}
		n.set(q.Attrs)
		return ok
	case Remove:
		if n == nil {
			return Status(NoSuchFile, "none")
		}
		if n.Mode&0o170000 == 0o40000 {
			return Status(Failure, "directory")
		}
		delete(s.FS, q.Path)
		return ok
	case Rmdir:
		if n == nil {
			return Status(NoSuchFile, "none")
		}
		if n.Mode&0o170000 != 0o40000 {
			return Status(Failure, "no directory")
		}
		for name := range s.FS {
			if strings.HasPrefix(name, q.Path+"/") {
				return Status(Failure, "not empty")
			}
		}
		delete(s.FS, q.Path)
		return ok
	case Mkdir:
		dir, _ := split(q.Path)
		if n != nil || s.FS[dir] == nil {
			return Status(Failure, "exists, or no parent")
		}
		s.FS[q.Path] = &Node{Mode: 0o40755}
		return ok
	case Rename:
		if n == nil || s.FS[q.Path2] != nil {
			return Status(Failure, "")
		}
		s.FS[q.Path2] = n
		delete(s.FS, q.Path)
		return ok
	case Symlink:
		s.FS[q.Path2] = &Node{Mode: 0o120777, links: q.Path}
		return ok
	case Readlink:
		if n == nil {
			return Status(NoSuchFile, "none")
		}
		return Names(n.links, NoAttrs)
	case Realpath:
		if q.Path == "." {
			return Names("/", NoAttrs)
		}
		return Names(q.Path, NoAttrs)
	case Extended:
		if q.Path2 == "limits@openssh.com" && s.Limits != [4]uint64{} {
			b := []byte{ExtendedReply}
			for _, l := range s.Limits {
				b = binary.BigEndian.AppendUint64(b, l)
			}
			return b
		}
		return Status(Unsupported, q.Path2)
	}
	h := s.handles[q.Handle]
	if h == nil {
		return Status(Failure, fmt.Sprintf("no handle %q", q.Handle))
	}
	switch q.Type {
	case Close:
		delete(s.handles, q.Handle)
		return ok
	case Readdir:
		if len(h.names) == 0 {
			return Status(EOF, "")
		}
		k := min(len(h.names), 100)
		var list []string
		for _, name := range h.names[:k] {
			at := NoAttrs
			if n := s.FS[strings.TrimPrefix(h.path, ".")+"/"+name]; n != nil {
				at = string(n.Attrs())
			} else if n := s.FS[name]; n != nil {
				at = string(n.Attrs())
			}
			list = append(list, name, at)
		}
		h.names = h.names[k:]
		return Names(list...)
	}
	if n == nil {
		return Status(NoSuchFile, "gone")
	}
	switch q.Type {
	case Fstat:
		return append([]byte{AttrsType}, n.Attrs()...)
	case Fsetstat:
		n.set(q.Attrs)
		return ok
	case Read:
		if q.Off >= int64(len(n.Data)) {
			return Status(EOF, "")
		}
		k := min(q.Len, len(n.Data)-int(q.Off))
		if s.MaxRead > 0 {
			k = min(k, s.MaxRead)
		}
		return Data(n.Data[q.Off : int(q.Off)+k])
	case Write:
		off := int(q.Off)
		if s.Append && h.flags&OpenAppend != 0 {
			off = len(n.Data)
		}
		if more := off + len(q.Data) - len(n.Data); more > 0 {
			n.Data = append(n.Data, make([]byte, more)...)
		}
		copy(n.Data[off:], q.Data)
		return ok
	}
	return Status(Unsupported, "")
}

func (s *Server) open(h *handle) []byte {
	name := fmt.Sprintf("h%d", s.opened) // other connections may be asked for the same at this moment
	s.opened++
	s.handles[name] = h
	return Handle(name)
}

func (n *Node) set(a []byte) {
	f := fields{a}
	flags := f.uint32()
	if flags&SizeFlag != 0 {
		size := int(f.uint64())
		if size <= len(n.Data) {
			n.Data = n.Data[:size]
		} else {
			n.Data = append(n.Data, make([]byte, size-len(n.Data))...)
		}
	}
	if flags&OwnerFlag != 0 {
		f.uint64()
	}
	if flags&ModeFlag != 0 {
		n.Mode = f.uint32()
	}
}

func split(name string) (dir, file string) {
	i := strings.LastIndexByte(name, '/')
	switch {
	case i < 0:
		return ".", name
	case i == 0:
		return "/", name[1:]
	}
	return name[:i], name[i+1:]
}
