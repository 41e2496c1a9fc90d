package rootio

import (
	"fmt"
	"io"
	"time"

	"github.com/eddy-go/eddy/compress"
)

// A Key is what a record says of itself. Directories hold copies of the keys
// of what they list, and those in a File's Keys are such copies: that they
// agree with the record is checked when its payload is read.
type Key struct {
	Class string // of the object, such as "TTree"
	Name  string
	Title string
	Cycle int // counts the versions of an object of the name
	// Dir is the path of the directory that lists the key, with slashes
	// between names and none around: "" is the top. Records have none.
	Dir string

	Offset  int64 // of the record in the file
	NBytes  int   // of the record: of key and payload
	KeyLen  int   // of the key
	ObjLen  int   // of the object, decompressed
	Version int   // of the key, over 1000 if its offsets are of 64 bits
	Parent  int64 // offset of the directory that the record was made in

	written uint32
	file    *File
}

// Path returns the path of the key in its file, with its cycle: "dir/name;1".
func (k Key) Path() string {
	if k.Dir == "" {
		return fmt.Sprintf("%s;%d", k.Name, k.Cycle)
	}
	return fmt.Sprintf("%s/%s;%d", k.Dir, k.Name, k.Cycle)
}

// Time returns when the record was written. ROOT writes no zone: it is the
// writer's clock, given as UTC.
func (k Key) Time() time.Time {
	t := k.written
	return time.Date(1995+int(t>>26), time.Month(t>>22&15), int(t>>17&31), int(t>>12&31), int(t>>6&63), int(t&63), 0, time.UTC)
}

// Stored tells whether the payload is the object as it is.
func (k Key) Stored() bool { return k.NBytes-k.KeyLen == k.ObjLen }

// PayloadLen returns the length of the payload in the file.
func (k Key) PayloadLen() int { return k.NBytes - k.KeyLen }

// IsDir tells whether the object is a directory.
func (k Key) IsDir() bool { return k.Class == "TDirectory" || k.Class == "TDirectoryFile" }

// fault makes err one of the record.
func (k Key) fault(err error) error {
	return &Error{Offset: k.Offset, Class: k.Class, Name: k.Name, Err: err}
}

// keyHead is the fixed part of a key.
type keyHead struct {
	nbytes, objLen         int
	version, keyLen, cycle int
	written                uint32
	seek, parent           int64
	size                   int // of this part
}

const (
	keyHeadSmall = 26
	keyHeadBig   = 34
	// keyTextMin is the length of the three strings of a key if they are empty.
	keyTextMin = 3
	// parentBits is what the offset of the parent takes of 64 bits; the rest
	// counts the file's TProcessIDs.
	parentBits = 48
)

// parseKeyHead reads the fixed part of a key from p and checks it by itself: a
// key of a record, not of a free gap. It must have keyHeadBig bytes, or be all
// that there is.
func parseKeyHead(p []byte) (h keyHead, err error) {
	c := cursor{b: p}
	h.nbytes = int(c.int32())
	h.version = int(c.int16())
	h.objLen = int(c.int32())
	h.written = uint32(c.int32())
	h.keyLen = int(c.int16())
	h.cycle = int(c.int16())
	big := h.version > bigKey
	h.seek = c.offset(big)
	h.parent = c.offset(big)
	if big {
		h.parent &= 1<<parentBits - 1
	}
	h.size = c.off
	switch {
	case c.short:
		return h, errShortKey
	case h.version <= 0:
		return h, fmt.Errorf("%w: key of version %d", compress.ErrCorrupt, h.version)
	case h.keyLen < h.size+keyTextMin:
		return h, fmt.Errorf("%w: key of %d bytes", compress.ErrCorrupt, h.keyLen)
	case h.nbytes < h.keyLen:
		return h, fmt.Errorf("%w: record of %d bytes with a key of %d", compress.ErrCorrupt, h.nbytes, h.keyLen)
	case h.objLen < 0:
		return h, fmt.Errorf("%w: object of %d bytes", compress.ErrCorrupt, h.objLen)
	case h.seek < 0, h.parent < 0:
		return h, fmt.Errorf("%w: negative offset", compress.ErrCorrupt)
	}
	return h, nil
}

var errShortKey = fmt.Errorf("%w: key cut short", compress.ErrCorrupt)

// basketHead is the least of what a TBasket's key has behind its strings:
// version, size of its buffer, of its table of offsets, number of entries, end
// of the data, and a flag.
const basketHead = 2 + 4*4 + 1

// parseKey reads the key that p begins with, whose fixed part is h. p has at
// least the key's h.keyLen bytes.
func (f *File) parseKey(p []byte, h keyHead, texts *texts) (Key, error) {
	k := Key{
		Offset: h.seek, NBytes: h.nbytes, KeyLen: h.keyLen, ObjLen: h.objLen, Cycle: h.cycle,
		Version: h.version, Parent: h.parent, written: h.written, file: f,
	}
	c := cursor{b: p[:h.keyLen], off: h.size}
	class, name, title := c.text(), c.text(), c.text()
	if c.short {
		return k, errShortKey
	}
	k.Class, k.Name, k.Title = texts.get(class), texts.get(name), texts.get(title)
	rest := h.keyLen - c.off
	if k.Class == "TBasket" {
		if rest < basketHead {
			return k, errShortKey
		}
	} else if rest != 0 {
		return k, fmt.Errorf("%w: key of %d bytes, of which %d are used", compress.ErrCorrupt, h.keyLen, c.off)
	}
	return k, nil
}

// blobClass is that of RNTuple's records, whose payload is RNTuple's own.
const blobClass = "RBlob"

// keyRead is how much of a record is read for its key, at first.
const keyRead = 256

// readKey reads the key of the record at off.
func (f *File) readKey(off int64, texts *texts) (Key, error) {
	b, err := f.readHead(off, texts)
	if err != nil {
		return Key{}, (Key{Offset: off}).fault(err)
	}
	return f.keyAt(off, b, texts)
}

// readHead reads the first bytes at off, or all that there are.
func (f *File) readHead(off int64, texts *texts) ([]byte, error) {
	if off < 0 || off > f.size {
		return nil, io.ErrUnexpectedEOF
	}
	b := texts.room(int(min(keyRead, f.size-off)))
	return b, f.readAt(b, off)
}

// keyAt is readKey with b from readHead.
func (f *File) keyAt(off int64, b []byte, texts *texts) (Key, error) {
	k := Key{Offset: off, file: f}
	h, err := parseKeyHead(b)
	if err != nil {
		if len(b) < keyHeadBig && err == errShortKey {
			err = errCut
		}
		return k, k.fault(err)
	}
	if h.keyLen > len(b) {
		if int64(h.keyLen) > f.size-off {
			return k, k.fault(errCut)
		}
		b = texts.room(h.keyLen)
		if err := f.readAt(b, off); err != nil {
			return k, k.fault(err)
		}
	}
	if k, err = f.parseKey(b, h, texts); err == nil && k.Offset != off {
		err = fmt.Errorf("%w: the key says it is at offset %d", compress.ErrCorrupt, k.Offset)
	}
	k.Offset = off
	if err == nil && int64(k.NBytes) > f.size-off {
		err = errCut
	}
	if err != nil {
		return k, k.fault(err)
	}
	return k, nil
}

// texts keeps the strings of keys, of which there are few different ones.
type texts struct {
	seen map[string]string
	buf  []byte
}

const maxTexts = 4096

// room returns n bytes to read a key into, at most 32 KiB.
func (t *texts) room(n int) []byte {
	if n > len(t.buf) {
		t.buf = make([]byte, max(n, keyRead))
	}
	return t.buf[:n]
}

func (t *texts) get(b []byte) string {
	if len(b) == 0 {
		return ""
	}
	if s, ok := t.seen[string(b)]; ok {
		return s
	}
	if t.seen == nil || len(t.seen) >= maxTexts {
		t.seen = make(map[string]string)
	}
	s := string(b)
	t.seen[s] = s
	return s
}
