package sftp

import (
	"os"
	"syscall"
	"time"
)

// S_IFMT masks the type of a file in [FileStat.Mode].
const S_IFMT = uint32(0o170000)

// Types and special bits of a mode on the wire, which is that of POSIX whatever the platform.
const (
	modeFIFO    = 0o010000
	modeChar    = 0o020000
	modeDir     = 0o040000
	modeBlock   = 0o060000
	modeRegular = 0o100000
	modeSymlink = 0o120000
	modeSocket  = 0o140000
	modeSetuid  = 0o4000
	modeSetgid  = 0o2000
	modeSticky  = 0o1000
)

// FileStat is what a server told about a file, as [os.FileInfo.Sys] returns it: a *FileStat. What it did not tell is zero.
type FileStat struct {
	Size     uint64
	Mode     uint32
	Mtime    uint32 // seconds since 1970
	Atime    uint32
	UID      uint32
	GID      uint32
	Extended []StatExtended
}

// StatExtended is an attribute that the protocol does not define.
type StatExtended struct {
	ExtType string
	ExtData string
}

// ModTime returns Mtime.
func (fs *FileStat) ModTime() time.Time { return time.Unix(int64(fs.Mtime), 0) }

// AccessTime returns Atime.
func (fs *FileStat) AccessTime() time.Time { return time.Unix(int64(fs.Atime), 0) }

// FileMode returns Mode in the bits of package os.
func (fs *FileStat) FileMode() os.FileMode {
	m := os.FileMode(fs.Mode & 0o777)
	switch fs.Mode & S_IFMT {
	case modeDir:
		m |= os.ModeDir
	case modeSymlink:
		m |= os.ModeSymlink
	case modeFIFO:
		m |= os.ModeNamedPipe
	case modeSocket:
		m |= os.ModeSocket
	case modeBlock:
		m |= os.ModeDevice
	case modeChar:
		m |= os.ModeDevice | os.ModeCharDevice
	}
	if fs.Mode&modeSetuid != 0 {
		m |= os.ModeSetuid
	}
	if fs.Mode&modeSetgid != 0 {
		m |= os.ModeSetgid
	}
	if fs.Mode&modeSticky != 0 {
		m |= os.ModeSticky
	}
	return m
}

// wireMode returns the permission bits of m as the protocol has them. Set-id bits are taken in both spellings.
func wireMode(m os.FileMode) uint32 {
	p := uint32(m & (os.ModePerm | modeSetuid | modeSetgid | modeSticky))
	if m&os.ModeSetuid != 0 {
		p |= modeSetuid
	}
	if m&os.ModeSetgid != 0 {
		p |= modeSetgid
	}
	if m&os.ModeSticky != 0 {
		p |= modeSticky
	}
	return p
}

// attrs is an ATTRS structure: what FileStat has, and which of it was told.
type attrs struct {
	flags uint32
	FileStat
}

// typed tells whether the type of the file is known.
func (a *attrs) typed() bool { return a.flags&attrPermissions != 0 && a.Mode&S_IFMT != 0 }

func (p *parser) attrs() (a attrs) {
	a.flags = p.uint32()
	if a.flags&attrSize != 0 {
		a.Size = p.uint64()
	}
	if a.flags&attrUIDGID != 0 {
		a.UID = p.uint32()
		a.GID = p.uint32()
	}
	if a.flags&attrPermissions != 0 {
		a.Mode = p.uint32()
	}
	if a.flags&attrTimes != 0 {
		a.Atime = p.uint32()
		a.Mtime = p.uint32()
	}
	if a.flags&attrExtended != 0 {
		n := p.uint32()
		// Each takes 8 bytes at least: a count is not believed beyond what is there.
		if uint64(n) > uint64(len(p.b))/8 {
			p.bad = true
			return attrs{}
		}
		for range n {
			e := StatExtended{ExtType: p.string(), ExtData: p.string()}
			if p.bad {
				return attrs{}
			}
			a.Extended = append(a.Extended, e)
		}
	}
	if p.bad {
		return attrs{}
	}
	return a
}

func appendAttrs(b []byte, a *attrs) []byte {
	b = appendUint32(b, a.flags)
	if a.flags&attrSize != 0 {
		b = appendUint64(b, a.Size)
	}
	if a.flags&attrUIDGID != 0 {
		b = appendUint32(b, a.UID)
		b = appendUint32(b, a.GID)
	}
	if a.flags&attrPermissions != 0 {
		b = appendUint32(b, a.Mode)
	}
	if a.flags&attrTimes != 0 {
		b = appendUint32(b, a.Atime)
		b = appendUint32(b, a.Mtime)
	}
	if a.flags&attrExtended != 0 {
		b = appendUint32(b, uint32(len(a.Extended)))
		for _, e := range a.Extended {
			b = appendString(b, e.ExtType)
			b = appendString(b, e.ExtData)
		}
	}
	return b
}

// timeAttrs refuses times that the 32 bits of the protocol cannot carry, rather than set others.
func timeAttrs(op, path string, atime, mtime time.Time) (attrs, error) {
	a := attrs{flags: attrTimes}
	for _, t := range []struct {
		from time.Time
		to   *uint32
	}{{atime, &a.Atime}, {mtime, &a.Mtime}} {
		s := t.from.Unix()
		if s < 0 || s > 1<<32-1 {
			return a, &os.PathError{Op: op, Path: path, Err: syscall.ERANGE}
		}
		*t.to = uint32(s)
	}
	return a, nil
}
