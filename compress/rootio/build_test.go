package rootio

import (
	"bytes"
	"encoding/binary"
	"testing"
)

// A builder writes files as ROOT lays them out, for tests of what no fixture
// has.
type builder struct {
	t        testing.TB
	b        []byte
	hole     int64 // that much of the file is missing in b, before what is written next
	big      bool
	begin    int
	settings Settings
	top      *builtDir
	dirs     []*builtDir
	gaps     []gap
	info     int64 // offset of the streamer info's record, if there is one
}

// gap is a part of the file that is free.
type gap struct{ first, end int64 }

type builtDir struct {
	name string
	at   int64    // of its record
	head int64    // of its header
	keys [][]byte // what it lists
	list int64    // offset of the list, when written
}

var be = binary.BigEndian

func (w *builder) pos() int64 { return int64(len(w.b)) + w.hole }

func (w *builder) offset(b []byte, v int64) []byte {
	if w.big {
		return be.AppendUint64(b, uint64(v))
	}
	return be.AppendUint32(b, uint32(v))
}

func text(b []byte, s string) []byte {
	if len(s) < 255 {
		return append(append(b, byte(len(s))), s...)
	}
	return append(be.AppendUint32(append(b, 255), uint32(len(s))), s...)
}

// key makes the key of a record at offset at.
func (w *builder) key(at, parent int64, class, name, title string, cycle, payload, object int) []byte {
	version := uint16(4)
	if w.big {
		version += bigKey
	}
	b := be.AppendUint16(make([]byte, 4), version)
	b = be.AppendUint32(b, uint32(object))
	b = be.AppendUint32(b, 31<<26|11<<22|30<<17|12<<12|34<<6|56)
	b = be.AppendUint16(be.AppendUint16(b, 0), uint16(cycle))
	b = w.offset(w.offset(b, at), parent)
	b = text(text(text(b, class), name), title)
	be.PutUint32(b, uint32(len(b)+payload))
	be.PutUint16(b[14:], uint16(len(b)))
	return b
}

// record writes one and returns its key.
func (w *builder) record(parent int64, class, name, title string, cycle int, object []byte) []byte {
	payload := object
	if w.settings != 0 {
		payload = pack(w.t, object, w.settings)
	}
	k := w.key(w.pos(), parent, class, name, title, cycle, len(payload), len(object))
	w.b = append(append(w.b, k...), payload...)
	return k
}

// plain is record of what ROOT never compresses.
func (w *builder) plain(parent int64, class, name, title string, object []byte) []byte {
	s := w.settings
	w.settings = 0
	k := w.record(parent, class, name, title, 1, object)
	w.settings = s
	return k
}

func newBuilder(t testing.TB, big bool, begin int) *builder {
	w := &builder{t: t, big: big, begin: begin, settings: 101}
	w.b = make([]byte, begin)
	names := text(text(nil, "made.root"), "a title")
	w.top = &builtDir{name: "made.root", at: int64(begin)}
	w.dirs = []*builtDir{w.top}
	k := w.plain(0, "TFile", "made.root", "a title", append(names, w.dirHead(w.top, 0, 0)...))
	w.top.head = int64(begin + len(k) + len(names))
	return w
}

// dirHead makes the header of a directory, whose list is not written yet if
// nbytes is 0.
func (w *builder) dirHead(d *builtDir, list int64, nbytes int) []byte {
	version := uint16(5)
	if w.big {
		version += bigKey
	}
	b := be.AppendUint16(nil, version)
	b = be.AppendUint64(b, 0)
	b = be.AppendUint32(b, uint32(nbytes))
	b = be.AppendUint32(b, uint32(d.head-d.at))
	b = w.offset(w.offset(w.offset(b, d.at), 0), list)
	return append(be.AppendUint16(b, 1), make([]byte, 16)...)
}

func (w *builder) mkdir(parent *builtDir, name string) *builtDir {
	d := &builtDir{name: name, at: w.pos()}
	w.dirs = append(w.dirs, d)
	k := w.plain(parent.at, "TDirectory", name, "a directory", w.dirHead(d, 0, 0))
	d.head = d.at + int64(len(k))
	copy(w.b[d.head:], w.dirHead(d, 0, 0))
	parent.keys = append(parent.keys, k)
	return d
}

func (w *builder) put(d *builtDir, class, name string, cycle int, object []byte) {
	d.keys = append(d.keys, w.record(d.at, class, name, "a title", cycle, object))
}

// free makes a gap of n bytes.
func (w *builder) free(n int) {
	w.gaps = append(w.gaps, gap{w.pos(), w.pos() + int64(n)})
	w.b = append(be.AppendUint32(w.b, uint32(-n)), bytes.Repeat([]byte{0xee}, n-4)...)
}

// header writes that of the file.
func (w *builder) header(end, free int64, nbytesFree int) {
	version := uint32(63602)
	if w.big {
		version += bigFile
	}
	b := append(make([]byte, 0, w.begin), "root"...)
	b = be.AppendUint32(be.AppendUint32(b, version), uint32(w.begin))
	b = w.offset(w.offset(b, end), free)
	b = be.AppendUint32(be.AppendUint32(b, uint32(nbytesFree)), uint32(1+len(w.gaps)))
	b = be.AppendUint32(b, uint32(w.top.head-w.top.at))
	b = append(b, map[bool]byte{false: 4, true: 8}[w.big])
	b = w.offset(be.AppendUint32(b, uint32(w.settings)), w.info)
	b = be.AppendUint32(b, 0)
	if w.begin >= len(b)+uuidSize {
		b = append(be.AppendUint16(b, 1), "0123456789abcdef"...)
	}
	copy(w.b, b)
}

// close writes the lists and the header, and returns the file.
func (w *builder) close() []byte {
	for _, d := range w.dirs {
		list := be.AppendUint32(nil, uint32(len(d.keys)))
		list = append(list, bytes.Join(d.keys, nil)...)
		d.list = w.pos()
		class := "TDirectory"
		if d == w.top {
			class = "TFile"
		}
		k := w.plain(d.at, class, d.name, "a title", list)
		copy(w.b[d.head:], w.dirHead(d, d.list, len(k)+len(list)))
	}
	var free []byte
	at := w.pos()
	end := at + int64(len(w.key(0, 0, "TFile", "made.root", "", 1, 0, 0))) + int64(len(w.gaps)+1)*map[bool]int64{false: 10, true: 18}[w.big]
	for _, g := range append(w.gaps, gap{end, 2000000001}) {
		version := uint16(1)
		if w.big {
			version += bigKey
		}
		free = w.offset(w.offset(be.AppendUint16(free, version), g.first), g.end-1)
	}
	w.plain(w.top.at, "TFile", "made.root", "", free)
	if w.pos() != end {
		w.t.Fatalf("the file ends at %d, not %d", w.pos(), end)
	}
	w.header(end, at, int(end-at))
	return w.b
}

// abandon returns the file as it is when its writer dies: the header is of
// when it was made, and no list is written.
func (w *builder) abandon() []byte {
	end := w.top.at + int64(be.Uint32(w.b[w.top.at:]))
	w.header(end, 0, 0)
	return w.b
}

// sample is a file of a few objects, two directories and a gap. The objects
// are texts that tell where they are.
func sample(t testing.TB, big bool, begin int) []byte {
	return sampleBuilder(t, big, begin).close()
}

func sampleBuilder(t testing.TB, big bool, begin int) *builder {
	w := newBuilder(t, big, begin)
	object := func(s string) []byte { return bytes.Repeat([]byte(s+"\n"), 20) }
	w.put(w.top, "TNote", "first", 1, object("first"))
	sub := w.mkdir(w.top, "sub")
	w.put(sub, "TNote", "inner", 1, object("sub/inner;1"))
	w.free(50)
	w.put(sub, "TNote", "inner", 2, object("sub/inner;2"))
	deep := w.mkdir(sub, "deep")
	w.put(deep, "TNote", "x", 3, object("sub/deep/x"))
	w.put(w.top, "TNote", "last/one", 1, object("last/one"))
	return w
}

var samplePaths = []string{"first;1", "sub;1", "sub/inner;1", "sub/inner;2", "sub/deep;1", "sub/deep/x;3", "last/one;1"}

func open(t testing.TB, b []byte) *File {
	t.Helper()
	f, err := Open(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// paths lists the keys of f, and the last error.
func paths(f *File) (list []string, err error) {
	for k, e := range f.Keys() {
		if e != nil {
			err = e
		} else {
			list = append(list, k.Path())
		}
	}
	return list, err
}
