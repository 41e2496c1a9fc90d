// Package atomicfile writes files that appear whole or not at all: what is
// written lies beside its place under a name of its own until it is complete.
package atomicfile

import (
	"crypto/rand"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// A File is on its way to a path. It belongs to one goroutine at a time.
type File struct {
	f    *os.File
	path string // where it goes
	temp string // where it is; "" if it is written in place
	done bool
}

// Create begins a file that Commit puts at path, where until then stays what
// was there. A path that is a link is followed. What is there and no regular
// file, such as a pipe or a device, is written to as it is.
func Create(path string) (*File, error) {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir():
		return nil, &fs.PathError{Op: "create", Path: path, Err: errors.New("is a directory")}
	case err == nil && !info.Mode().IsRegular():
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		return &File{f: f, path: path}, err
	}
	dir, name := filepath.Split(path)
	temp := filepath.Join(dir, "."+name+"."+rand.Text()[:10]+".tmp")
	// Not os.CreateTemp, whose files are for their owner alone.
	f, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return nil, err
	}
	return &File{f: f, path: path, temp: temp}, nil
}

// Write writes to the file.
func (f *File) Write(p []byte) (int, error) { return f.f.Write(p) }

// Seek is as that of an os.File.
func (f *File) Seek(offset int64, whence int) (int64, error) { return f.f.Seek(offset, whence) }

// Commit ends the file and puts it in its place. With an error nothing has
// changed there, and nothing is left beside it.
func (f *File) Commit() error {
	if f.done {
		return fs.ErrClosed
	}
	f.done = true
	err := f.f.Close()
	if f.temp == "" {
		return err
	}
	if err == nil {
		err = os.Rename(f.temp, f.path)
	}
	if err != nil {
		os.Remove(f.temp)
	}
	return err
}

// Discard ends the file and removes it. After Commit it does nothing, so that
// it can be deferred.
func (f *File) Discard() {
	if f.done {
		return
	}
	f.done = true
	f.f.Close()
	if f.temp != "" {
		os.Remove(f.temp)
	}
}

var _ io.WriteSeeker = (*File)(nil)
