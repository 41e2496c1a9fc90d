package sftp

import (
	"context"
	"errors"
	"io"
	"os"
	"path"
	"strings"
	"syscall"

	"github.com/kr/fs"
)

// ErrBadPattern says that a pattern is malformed.
var ErrBadPattern = path.ErrBadPattern

// Match is path.Match.
func Match(pattern, name string) (matched bool, err error) { return path.Match(pattern, name) }

// Join is path.Join.
func Join(elem ...string) string { return path.Join(elem...) }

// Split is path.Split.
func Split(p string) (dir, file string) { return path.Split(p) }

// Join is path.Join.
func (c *Client) Join(elem ...string) string { return path.Join(elem...) }

// goodName tells whether a listed name is that of one file in the directory.
func goodName(name string) bool {
	return name != "" && name != "." && name != ".." && strings.IndexByte(name, '/') < 0 && strings.IndexByte(name, 0) < 0
}

// ReadDir lists a directory, without "." and "..", in the order of the server. Names are as the server sent them, also those
// that cannot be the name of a file: before a name is joined to a path, see that it has no slash.
func (c *Client) ReadDir(p string) ([]os.FileInfo, error) {
	return c.ReadDirContext(context.Background(), p)
}

// ReadDirContext is ReadDir with a context. After an error it returns what was listed so far.
func (c *Client) ReadDirContext(ctx context.Context, p string) ([]os.FileInfo, error) {
	if err := checkPath("readdir", p); err != nil {
		return nil, err
	}
	h, err := c.main.openHandle(ctx, "opendir", p, appendString(newPacket(typeOpendir, 4+len(p)), p))
	if err != nil {
		return nil, err
	}
	defer func() {
		c.mu.Lock()
		c.main.closeHandle(h)
		c.mu.Unlock()
	}()
	var list []os.FileInfo
	for empty := 0; ; {
		rep, err := c.main.do(ctx, appendString(newPacket(typeReaddir, 4+len(h)), h))
		if err != nil {
			return list, err
		}
		before := len(list)
		list, err = rep.appendNames(list, p)
		rep.free()
		if err == io.EOF {
			return list, nil
		}
		if err != nil {
			return list, err
		}
		if len(list) > before {
			empty = 0
		} else if empty++; empty == maxEmpty {
			return list, &ProtocolError{Op: "readdir", Path: p, Text: "NAME without names, again and again"}
		}
	}
}

// appendNames adds what an answer to READDIR lists. It returns io.EOF at the end of the directory.
func (r *reply) appendNames(list []os.FileInfo, dir string) ([]os.FileInfo, error) {
	if r.typ != typeName {
		if code, ok := r.code(); ok && r.typ == typeStatus && code == statusEOF {
			return list, io.EOF
		}
		return list, r.refusal("readdir", dir)
	}
	p := parser{b: r.body}
	count := p.uint32()
	// A name takes 12 bytes at least: the count is not believed beyond what is there.
	if uint64(count) > uint64(len(p.b))/12 {
		return list, malformed("readdir", dir, typeName)
	}
	for range count {
		name, line := p.string(), p.bytes()
		a := p.attrs()
		if p.bad {
			return list, malformed("readdir", dir, typeName)
		}
		if name == "." || name == ".." {
			continue
		}
		fi := newFileInfo(name, a)
		if !a.typed() {
			if m, ok := typeFromLongname(line); ok {
				fi.mode = fi.mode&^os.ModeType | m
			}
		}
		list = append(list, fi)
	}
	return list, nil
}

// openHandle sends OPEN or OPENDIR.
func (s *session) openHandle(ctx context.Context, op, name string, p []byte) (string, error) {
	rep, err := s.do(ctx, p)
	if err != nil {
		return "", err
	}
	defer rep.free()
	if rep.typ != typeHandle {
		return "", rep.refusal(op, name)
	}
	h, ok := rep.handle()
	if !ok {
		return "", malformed(op, name, typeHandle)
	}
	return h, nil
}

// handle returns what a HANDLE holds.
func (r *reply) handle() (string, bool) {
	if r.err != nil || r.typ != typeHandle {
		return "", false
	}
	p := parser{b: r.body}
	h := p.bytes()
	return string(h), !p.bad && len(h) <= maxHandle
}

// Walk returns a walker over the tree at root; see [fs.Walker]. A name that cannot be that of a file (see [ErrBadName])
// is visited under a path that no method accepts, and is never taken for a directory.
func (c *Client) Walk(root string) *fs.Walker { return c.WalkContext(context.Background(), root) }

// WalkContext is Walk with a context: once it is done each further step has its error.
func (c *Client) WalkContext(ctx context.Context, root string) *fs.Walker {
	return fs.WalkFS(root, walkFS{c, ctx})
}

// walkFS is the client as the walker sees it, whose methods take no context.
type walkFS struct {
	c   *Client
	ctx context.Context
}

func (w walkFS) Lstat(name string) (os.FileInfo, error) { return w.c.LstatContext(w.ctx, name) }

func (w walkFS) ReadDir(dir string) ([]os.FileInfo, error) {
	list, err := w.c.ReadDirContext(w.ctx, dir)
	for i, fi := range list {
		switch {
		case !goodName(fi.Name()):
			bad := *fi.(*fileInfo)
			bad.mode = bad.mode&^os.ModeType | os.ModeIrregular
			list[i] = &bad
		case fi.Mode()&os.ModeIrregular != 0:
			// Whether it is a directory was not told; ask.
			if known, err := w.Lstat(path.Join(dir, fi.Name())); err == nil {
				list[i] = known
			}
		}
	}
	return list, err
}

// Join joins what cannot be a name behind a NUL, which checkPath refuses.
func (w walkFS) Join(elem ...string) string {
	if n := len(elem); n > 1 && !goodName(elem[n-1]) {
		return path.Join(elem[:n-1]...) + "/\x00" + elem[n-1]
	}
	return path.Join(elem...)
}

// Glob returns the paths that match a pattern, as [path.Match] has it in each element. Directories that cannot be read are
// passed over; errors are ErrBadPattern, and a *ConnError when the connection is lost.
func (c *Client) Glob(pattern string) (matches []string, err error) {
	return c.GlobContext(context.Background(), pattern)
}

// GlobContext is Glob with a context, whose error it returns.
func (c *Client) GlobContext(ctx context.Context, pattern string) ([]string, error) {
	if _, err := path.Match(pattern, ""); err != nil {
		return nil, err
	}
	var lost error
	matches := c.glob(ctx, pattern, &lost)
	if err := ctx.Err(); err != nil {
		return matches, err
	}
	return matches, lost
}

// glob sets lost to the error of a lost connection.
func (c *Client) glob(ctx context.Context, pattern string, lost *error) []string {
	note := func(err error) {
		if errors.Is(err, ErrSSHFxConnectionLost) {
			*lost = err
		}
	}
	if !strings.ContainsAny(pattern, `*?[\`) {
		if _, err := c.LstatContext(ctx, pattern); err != nil {
			note(err)
			return nil
		}
		return []string{path.Clean(pattern)}
	}
	dir, file := path.Split(pattern)
	switch {
	case dir == "":
		dir = "."
	case dir != "/":
		dir = strings.TrimRight(dir, "/")
		if dir == "" {
			dir = "/"
		}
	}
	dirs := []string{dir}
	if strings.ContainsAny(dir, `*?[\`) {
		dirs = c.glob(ctx, dir, lost)
	}
	var matches []string
	for _, d := range dirs {
		list, err := c.ReadDirContext(ctx, d)
		if err != nil {
			note(err)
			continue
		}
		for _, fi := range list {
			if !goodName(fi.Name()) {
				continue
			}
			if ok, _ := path.Match(file, fi.Name()); ok {
				matches = append(matches, path.Join(d, fi.Name()))
			}
		}
	}
	return matches
}

// isDir tells whether name, of which fi was told, is a directory, also of servers that do not tell types.
func (c *Client) isDir(ctx context.Context, name string, fi os.FileInfo) bool {
	if fi.Mode()&os.ModeIrregular == 0 {
		return fi.IsDir()
	}
	h, err := c.main.openHandle(ctx, "opendir", name, appendString(newPacket(typeOpendir, 4+len(name)), name))
	if err != nil {
		return false
	}
	c.mu.Lock()
	c.main.closeHandle(h)
	c.mu.Unlock()
	return true
}

// MkdirAll makes a directory and the parents that do not exist. It is no error if path is a directory.
func (c *Client) MkdirAll(path string) error { return c.MkdirAllContext(context.Background(), path) }

// MkdirAllContext is MkdirAll with a context.
func (c *Client) MkdirAllContext(ctx context.Context, p string) error {
	fi, err := c.StatContext(ctx, p)
	if err == nil {
		if c.isDir(ctx, p, fi) {
			return nil
		}
		return &os.PathError{Op: "mkdir", Path: p, Err: syscall.ENOTDIR}
	}
	if trimmed := strings.TrimRight(p, "/"); trimmed != "" {
		if parent := strings.TrimRight(trimmed[:strings.LastIndexByte(trimmed, '/')+1], "/"); parent != "" {
			if err := c.MkdirAllContext(ctx, parent); err != nil {
				return err
			}
		}
	}
	err = c.MkdirContext(ctx, p)
	if err == nil {
		return nil
	}
	// It may have come into being meanwhile, or be spelled "foo/.".
	if fi, err := c.LstatContext(ctx, p); err == nil && c.isDir(ctx, p, fi) {
		return nil
	}
	return err
}

// Remove removes a file or an empty directory.
func (c *Client) Remove(path string) error { return c.RemoveContext(context.Background(), path) }

// RemoveContext is Remove with a context.
func (c *Client) RemoveContext(ctx context.Context, path string) error {
	errFile := c.removeFile(ctx, path)
	if errFile == nil {
		return nil
	}
	errDir := c.RemoveDirectoryContext(ctx, path)
	if errDir == nil {
		return nil
	}
	// Which of the two errors is of interest depends on what it is.
	if fi, err := c.LstatContext(ctx, path); err == nil && fi.IsDir() {
		return errDir
	}
	return errFile
}

func (c *Client) removeFile(ctx context.Context, path string) error {
	return c.onPath(ctx, "remove", typeRemove, path, nil)
}

// RemoveAll removes path and everything below it. Symbolic links are removed, not followed. That path does not exist
// is an error.
func (c *Client) RemoveAll(path string) error { return c.RemoveAllContext(context.Background(), path) }

// RemoveAllContext is RemoveAll with a context.
func (c *Client) RemoveAllContext(ctx context.Context, path string) error {
	fi, err := c.LstatContext(ctx, path)
	if err != nil {
		return err
	}
	return c.removeTree(ctx, path, fi)
}

// removeListed is removeTree for what a listing told. A listing does not always tell the type, and some servers list what a
// link leads to: nothing is taken for a directory, whose entries are removed, on its word.
func (c *Client) removeListed(ctx context.Context, p string, fi os.FileInfo) error {
	if fi.IsDir() || fi.Mode()&os.ModeIrregular != 0 {
		told, err := c.LstatContext(ctx, p)
		if err == nil {
			fi = told
		} else if fi.IsDir() {
			return err
		}
	}
	return c.removeTree(ctx, p, fi)
}

// removeTree removes p, of which LSTAT told fi.
func (c *Client) removeTree(ctx context.Context, p string, fi os.FileInfo) error {
	if fi.Mode()&os.ModeIrregular != 0 {
		// OPENDIR, which would tell, follows links.
		if fi.Mode()&os.ModeIrregular != 0 {
			if err := c.removeFile(ctx, p); err == nil {
				return nil
			}
		}
	}
	if !c.isDir(ctx, p, fi) {
		return c.removeFile(ctx, p)
	}
	list, err := c.ReadDirContext(ctx, p)
	if err != nil {
		return err
	}
	for _, fi := range list {
		if !goodName(fi.Name()) {
			return &os.PathError{Op: "removeall", Path: p + "/" + fi.Name(), Err: ErrBadName}
		}
		if err := c.removeListed(ctx, p+"/"+fi.Name(), fi); err != nil {
			return err
		}
	}
	return c.RemoveDirectoryContext(ctx, p)
}
