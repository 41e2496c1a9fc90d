package sftp

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// FS returns a view of the tree at root as an [fs.FS], with fs.StatFS, fs.ReadDirFS, fs.ReadFileFS, fs.SubFS and fs.ReadLinkFS.
// Names that are no names of files (see [ErrBadName]) are not listed, and ReadDir tells of them in its error.
//
// Symbolic links are followed as the server does, also out of root.
func (c *Client) FS(root string) fs.FS { return c.FSContext(context.Background(), root) }

// FSContext is FS with a context for everything that is done through the view.
func (c *Client) FSContext(ctx context.Context, root string) fs.FS {
	return &fsys{c, ctx, root}
}

type fsys struct {
	c    *Client
	ctx  context.Context // the methods of fs.FS take none
	root string
}

func (s *fsys) path(op, name string) (string, error) {
	if !fs.ValidPath(name) || strings.IndexByte(name, 0) >= 0 {
		return "", &fs.PathError{Op: op, Path: name, Err: fs.ErrInvalid}
	}
	return path.Join(s.root, name), nil
}

// rename gives an error the name that the caller of the view knows.
func rename(err error, op, name string) error {
	if err == nil {
		return nil
	}
	if pe, ok := err.(*fs.PathError); ok {
		err = pe.Err
	}
	return &fs.PathError{Op: op, Path: name, Err: err}
}

func (s *fsys) Open(name string) (fs.File, error) {
	p, err := s.path("open", name)
	if err != nil {
		return nil, err
	}
	fi, err := s.c.StatContext(s.ctx, p)
	if err != nil {
		return nil, rename(err, "open", name)
	}
	if s.c.isDir(s.ctx, p, fi) {
		return &dirFile{s: s, name: name, info: fi}, nil
	}
	f, err := s.c.OpenContext(s.ctx, p)
	if err != nil {
		return nil, rename(err, "open", name)
	}
	return &fsFile{f, s, name}, nil
}

func (s *fsys) Stat(name string) (fs.FileInfo, error) {
	p, err := s.path("stat", name)
	if err != nil {
		return nil, err
	}
	fi, err := s.c.StatContext(s.ctx, p)
	if err != nil {
		return nil, rename(err, "stat", name)
	}
	return named(fi, name), nil
}

func (s *fsys) Lstat(name string) (fs.FileInfo, error) {
	p, err := s.path("lstat", name)
	if err != nil {
		return nil, err
	}
	fi, err := s.c.LstatContext(s.ctx, p)
	if err != nil {
		return nil, rename(err, "lstat", name)
	}
	return named(fi, name), nil
}

// named gives the root of a view the name ".".
func named(fi fs.FileInfo, name string) fs.FileInfo {
	x := *fi.(*fileInfo)
	x.name = path.Base(name)
	return &x
}

func (s *fsys) ReadLink(name string) (string, error) {
	p, err := s.path("readlink", name)
	if err != nil {
		return "", err
	}
	to, err := s.c.ReadLinkContext(s.ctx, p)
	return to, rename(err, "readlink", name)
}

func (s *fsys) ReadFile(name string) ([]byte, error) {
	p, err := s.path("read", name)
	if err != nil {
		return nil, err
	}
	f, err := s.c.OpenContext(s.ctx, p)
	if err != nil {
		return nil, rename(err, "open", name)
	}
	defer f.Close()
	var b bytes.Buffer
	if _, err := f.WriteToContext(s.ctx, &b); err != nil {
		return nil, rename(err, "read", name)
	}
	return b.Bytes(), nil
}

func (s *fsys) ReadDir(name string) ([]fs.DirEntry, error) {
	p, err := s.path("readdir", name)
	if err != nil {
		return nil, err
	}
	list, err := s.c.ReadDirContext(s.ctx, p)
	entries := make([]fs.DirEntry, 0, len(list))
	var bad error
	for _, fi := range list {
		if !goodName(fi.Name()) {
			bad = ErrBadName
			continue
		}
		if fi.Mode()&fs.ModeIrregular != 0 {
			if told, err := s.c.LstatContext(s.ctx, path.Join(p, fi.Name())); err == nil {
				fi = told
			}
		}
		entries = append(entries, fs.FileInfoToDirEntry(fi))
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, rename(errors.Join(err, bad), "readdir", name)
}

func (s *fsys) Sub(dir string) (fs.FS, error) {
	p, err := s.path("sub", dir)
	if err != nil {
		return nil, err
	}
	return &fsys{s.c, s.ctx, p}, nil
}

// fsFile is an open file of a view.
type fsFile struct {
	*File
	s    *fsys
	name string
}

func (f *fsFile) Read(b []byte) (int, error) { return f.ReadContext(f.s.ctx, b) }

func (f *fsFile) ReadAt(b []byte, off int64) (int, error) { return f.ReadAtContext(f.s.ctx, b, off) }

func (f *fsFile) WriteTo(w io.Writer) (int64, error) { return f.WriteToContext(f.s.ctx, w) }

func (f *fsFile) Stat() (fs.FileInfo, error) {
	fi, err := f.StatContext(f.s.ctx)
	if err != nil {
		return nil, rename(err, "stat", f.name)
	}
	return named(fi, f.name), nil
}

// dirFile is an open directory of a view.
type dirFile struct {
	s      *fsys
	name   string
	info   fs.FileInfo
	list   []fs.DirEntry
	err    error // told after the last of list
	listed bool
	closed bool
}

func (d *dirFile) Stat() (fs.FileInfo, error) {
	if d.closed {
		return nil, &fs.PathError{Op: "stat", Path: d.name, Err: fs.ErrClosed}
	}
	return named(d.info, d.name), nil
}

func (d *dirFile) Read([]byte) (int, error) {
	return 0, &fs.PathError{Op: "read", Path: d.name, Err: errors.New("is a directory")}
}

func (d *dirFile) Close() error {
	if d.closed {
		return &fs.PathError{Op: "close", Path: d.name, Err: fs.ErrClosed}
	}
	d.closed, d.list = true, nil
	return nil
}

func (d *dirFile) ReadDir(n int) ([]fs.DirEntry, error) {
	if d.closed {
		return nil, &fs.PathError{Op: "readdir", Path: d.name, Err: fs.ErrClosed}
	}
	if !d.listed {
		list, err := d.s.ReadDir(d.name)
		if err != nil && len(list) == 0 {
			return nil, err
		}
		d.list, d.err, d.listed = list, err, true
	}
	if n <= 0 || len(d.list) == 0 {
		list, err := d.list, d.err
		d.list, d.err = nil, nil
		if err == nil && n > 0 {
			err = io.EOF
		}
		return list, err
	}
	list := d.list[:min(n, len(d.list))]
	d.list = d.list[len(list):]
	return list, nil
}
