package rootio

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"strconv"
	"strings"

	"github.com/eddy-go/eddy/compress"
)

// A directory is the header of one.
type directory struct {
	key        Key // of its record
	path       string
	at         int64 // what keys in it have as their parent
	seekKeys   int64 // of its list of keys; 0 if none was written
	nbytesKeys int
}

// dirSize is the size of a directory's header with offsets of 64 bits; with 32
// it is 12 less. An UUID may follow.
const dirSize = 2 + 4*4 + 3*8

// readTop reads the record of the top directory, in which the name and title
// of the file are before the directory's header.
func (f *File) readTop() (directory, error) {
	var names texts
	k, err := f.readKey(f.begin, &names)
	if err != nil {
		return directory{}, err
	}
	if f.nbytesName < k.KeyLen || f.nbytesName > k.NBytes {
		return directory{}, k.fault(fmt.Errorf("%w: top directory at byte %d of %d", compress.ErrCorrupt, f.nbytesName, k.NBytes))
	}
	return f.readDir(k, int64(f.nbytesName), "")
}

// readDir reads the header of a directory, which is start bytes into record k.
func (f *File) readDir(k Key, start int64, path string) (directory, error) {
	d := directory{key: k, path: path}
	var b [dirSize]byte
	p := b[:max(min(int64(len(b)), int64(k.NBytes)-start, f.size-k.Offset-start), 0)]
	if err := f.readAt(p, k.Offset+start); err != nil {
		return d, k.fault(err)
	}
	c := cursor{b: p}
	big := c.int16() > bigKey
	c.int32() // times of creation and change
	c.int32()
	d.nbytesKeys = int(c.int32())
	c.int32() // size of key and names
	d.at = c.offset(big)
	c.offset(big) // parent
	d.seekKeys = c.offset(big)
	switch {
	case c.short:
		return d, k.fault(fmt.Errorf("directory cut short: %w", io.ErrUnexpectedEOF))
	case d.at != k.Offset:
		return d, k.fault(fmt.Errorf("%w: the directory says it is at offset %d", compress.ErrCorrupt, d.at))
	case d.seekKeys < 0, d.seekKeys > 0 && d.seekKeys < f.begin:
		return d, k.fault(fmt.Errorf("%w: list of keys at offset %d", compress.ErrCorrupt, d.seekKeys))
	}
	return d, nil
}

// list gives the keys that directory d lists, as the list has them. An error
// ends it.
func (f *File) list(d directory, names *texts) iter.Seq2[Key, error] {
	return func(yield func(Key, error) bool) {
		if d.seekKeys == 0 {
			yield(Key{}, d.key.fault(ErrNotClosed))
			return
		}
		head, err := f.readKey(d.seekKeys, names)
		if err == nil && (head.NBytes != d.nbytesKeys || !head.Stored() || head.ObjLen < 4) {
			err = head.fault(fmt.Errorf("%w: no list of keys of %d bytes", compress.ErrCorrupt, d.nbytesKeys))
		}
		if err != nil {
			yield(Key{}, err)
			return
		}
		w := f.newWindow(head.Offset+int64(head.KeyLen), head.Offset+int64(head.NBytes), listChunk)
		defer w.free()
		p, err := w.take(4)
		if err != nil {
			yield(Key{}, head.fault(err))
			return
		}
		for n := (&cursor{b: p}).int32(); n != 0 && err == nil; n-- {
			var k Key
			if n < 0 {
				err = fmt.Errorf("%w: list of %d keys", compress.ErrCorrupt, n)
			} else if k, err = f.listed(w, names); err == nil {
				k.Dir = d.path
				if !yield(k, nil) {
					return
				}
			}
		}
		if err == nil && w.left() > 0 {
			err = fmt.Errorf("list of keys: %w", compress.ErrTrailing)
		}
		if err != nil {
			yield(Key{}, head.fault(err))
		}
	}
}

const listChunk = 64 << 10

// listed takes the next key of a list from w.
func (f *File) listed(w *window, names *texts) (Key, error) {
	p, err := w.peek(int(min(keyHeadBig, w.left())))
	if err != nil {
		return Key{}, err
	}
	h, err := parseKeyHead(p)
	if err != nil {
		return Key{}, err
	}
	if p, err = w.take(h.keyLen); err != nil {
		return Key{}, err
	}
	k, err := f.parseKey(p, h, names)
	if err != nil {
		return k, err
	}
	if k.Offset < f.begin || k.Offset > f.size || int64(k.NBytes) > f.size-k.Offset {
		return k, k.fault(fmt.Errorf("listed record of %d bytes: %w", k.NBytes, io.ErrUnexpectedEOF))
	}
	return k, nil
}

// Keys gives the keys of all directories: the top directory's in the order of
// its list, and behind each directory what is in it. An object that was written
// several times has a key for each cycle that was kept.
//
// Where a directory or its list cannot be read, Keys gives those of its keys
// that a walk through the records finds, and then the error; with an error the
// Key is not one. The caller may go on to what follows. A sequence without an
// error has all that the file lists.
func (f *File) Keys() iter.Seq2[Key, error] {
	return func(yield func(Key, error) bool) {
		w := keyWalk{f: f, yield: yield, seen: map[int64]bool{}}
		w.dir(f.top)
		if w.stopped || w.failed || f.damage == nil {
			return
		}
		yield(Key{}, f.damage)
	}
}

// keyWalk is a walk through directories.
type keyWalk struct {
	f       *File
	yield   func(Key, error) bool
	names   texts
	seen    map[int64]bool // directories and lists, by offset
	stopped bool           // by the caller
	failed  bool           // an error was given
}

func (w *keyWalk) fail(err error) {
	w.failed = true
	w.stopped = !w.yield(Key{}, err)
}

// dir walks through directory d and those below it.
func (w *keyWalk) dir(d directory) {
	type level struct {
		keys []Key // what is left of it
		err  error // what follows its keys
	}
	enter := func(d directory) (l level) {
		if w.seen[d.at] || d.seekKeys != 0 && w.seen[d.seekKeys] {
			l.err = d.key.fault(fmt.Errorf("%w: directory in a loop", compress.ErrCorrupt))
			return l
		}
		w.seen[d.at] = true
		w.seen[d.seekKeys] = true
		l.keys, l.err = w.f.keysOf(d, &w.names)
		return l
	}
	stack := []level{enter(d)}
	for len(stack) > 0 && !w.stopped {
		l := &stack[len(stack)-1]
		if len(l.keys) == 0 {
			if l.err != nil {
				w.fail(l.err)
			}
			stack = stack[:len(stack)-1]
			continue
		}
		k := l.keys[0]
		l.keys = l.keys[1:]
		if w.stopped = !w.yield(k, nil); w.stopped || !k.IsDir() {
			continue
		}
		sub, err := w.f.subdirectory(k)
		if err == nil && len(stack) > maxDirs {
			err = k.fault(fmt.Errorf("%w: a directory in %d others", compress.ErrUnsupported, maxDirs))
		}
		if err != nil {
			w.fail(err)
			continue
		}
		stack = append(stack, enter(sub))
	}
}

// maxPath and maxDirs bound the paths of directories, and how many of them lie
// in each other: a walk has the paths of all that it is in.
const (
	maxPath = 64 << 10
	maxDirs = 256
)

// subdirectory reads the directory that k is the key of.
func (f *File) subdirectory(k Key) (directory, error) {
	if !k.Stored() {
		return directory{}, k.fault(fmt.Errorf("%w: compressed directory", compress.ErrUnsupported))
	}
	path := k.Name
	if k.Dir != "" {
		path = k.Dir + "/" + k.Name
	}
	if len(path) > maxPath {
		return directory{}, k.fault(fmt.Errorf("%w: a directory whose path has %d bytes", compress.ErrUnsupported, len(path)))
	}
	return f.readDir(k, int64(k.KeyLen), path)
}

// keysOf returns the keys of directory d: what its list has and, where that
// cannot be read to its end, what the walk found beside it, with an error that
// says why.
func (f *File) keysOf(d directory, names *texts) ([]Key, error) {
	var keys []Key
	for k, err := range f.list(d, names) {
		if err == nil {
			keys = append(keys, k)
			continue
		}
		if d.key.Offset == f.begin && f.damage != nil {
			err = f.damage
		}
		found, walkErr := f.recovered()
		have := make(map[int64]bool, len(keys))
		for _, k := range keys {
			have[k.Offset] = true
		}
		for _, k := range found[d.at] {
			if !have[k.Offset] {
				k.Dir = d.path
				keys = append(keys, k)
			}
		}
		return keys, errors.Join(err, walkErr)
	}
	return keys, nil
}

// Key returns the key of a path, "dir/name" or "dir/name;cycle": without a
// cycle that of the latest one. Names may have slashes. Where there is none it
// returns ErrNotFound, and what kept it from looking everywhere.
func (f *File) Key(path string) (Key, error) {
	name, cycle := path, 0
	if i := strings.LastIndexByte(path, ';'); i >= 0 {
		if n, err := strconv.Atoi(path[i+1:]); err == nil && n > 0 {
			name, cycle = path[:i], n
		}
	}
	w := lookup{f: f, cycle: cycle, seen: map[int64]bool{}}
	w.dir(f.top, strings.TrimPrefix(name, "/"))
	if w.found.file != nil {
		return w.found, nil
	}
	return Key{}, errors.Join(append([]error{fmt.Errorf("root: %w: %q", ErrNotFound, path)}, w.errs...)...)
}

// lookup is a search for a path.
type lookup struct {
	f     *File
	cycle int
	names texts
	seen  map[int64]bool
	found Key
	errs  []error
}

func (w *lookup) dir(d directory, rest string) {
	if w.seen[d.at] {
		return
	}
	w.seen[d.at] = true
	keys, err := w.f.keysOf(d, &w.names)
	if err != nil {
		w.errs = append(w.errs, err)
	}
	for _, k := range keys {
		switch {
		case k.Name == rest:
			if w.cycle == k.Cycle || w.cycle == 0 && (w.found.file == nil || k.Cycle > w.found.Cycle) {
				w.found = k
			}
		case k.IsDir() && strings.HasPrefix(rest, k.Name) && rest[len(k.Name)] == '/':
			sub, err := w.f.subdirectory(k)
			if err != nil {
				w.errs = append(w.errs, err)
				continue
			}
			w.dir(sub, rest[len(k.Name)+1:])
		}
	}
}
