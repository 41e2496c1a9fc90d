package sftp

import (
	"context"
	"os"
	"path"
	"strings"
	"syscall"
	"time"
)

// maxPath keeps packets with two paths below what servers take.
const maxPath = 64 << 10

// checkPath refuses what no server could take for what it is: those written in C would stop at a NUL and so take another
// file.
func checkPath(op, name string) error {
	switch {
	case strings.IndexByte(name, 0) >= 0:
		return &os.PathError{Op: op, Path: name, Err: syscall.EINVAL}
	case len(name) > maxPath:
		return &os.PathError{Op: op, Path: name[:64] + "...", Err: syscall.ENAMETOOLONG}
	}
	return nil
}

// onPath sends a request that has a path, and what more puts behind it, and wants STATUS.
func (c *Client) onPath(ctx context.Context, op string, typ byte, name string, a *attrs) error {
	if err := checkPath(op, name); err != nil {
		return err
	}
	p := appendString(newPacket(typ, 4+len(name)+32), name)
	if a != nil {
		p = appendAttrs(p, a)
	}
	return c.main.doStatus(ctx, nil, op, name, p)
}

// onPaths is onPath with two paths, for an extension if that is named.
func (c *Client) onPaths(ctx context.Context, op string, typ byte, extension, a, b string) error {
	for _, name := range []string{a, b} {
		if err := checkPath(op, name); err != nil {
			return err
		}
	}
	p := newPacket(typ, 8+len(a)+len(b)+len(extension)+4)
	if extension != "" {
		if _, ok := c.ext[extension]; !ok {
			pool.Put(p)
			return unsupported(op, a, extension)
		}
		p = appendString(p, extension)
	}
	p = appendString(p, a)
	return c.main.doStatus(ctx, nil, op, a, appendString(p, b))
}

func (c *Client) stat(ctx context.Context, op string, typ byte, name string) (attrs, error) {
	if err := checkPath(op, name); err != nil {
		return attrs{}, err
	}
	return c.main.doAttrs(ctx, nil, op, name, appendString(newPacket(typ, 4+len(name)), name))
}

// doAttrs is doFile for what is answered with ATTRS.
func (s *session) doAttrs(ctx context.Context, f *File, op, name string, p []byte) (attrs, error) {
	rep, err := s.doFile(ctx, f, p)
	if err != nil {
		return attrs{}, err
	}
	defer rep.free()
	return rep.attrs(op, name)
}

// attrs is what ATTRS tells, or why the answer is none.
func (r *reply) attrs(op, name string) (attrs, error) {
	if r.err != nil {
		return attrs{}, r.err
	}
	if r.typ != typeAttrs {
		return attrs{}, r.refusal(op, name)
	}
	ps := parser{b: r.body}
	a := ps.attrs()
	if ps.bad {
		return attrs{}, malformed(op, name, typeAttrs)
	}
	return a, nil
}

// Stat returns what the server tells about a file, of a symbolic link about what it points to.
func (c *Client) Stat(p string) (os.FileInfo, error) { return c.StatContext(context.Background(), p) }

// StatContext is Stat with a context.
func (c *Client) StatContext(ctx context.Context, p string) (os.FileInfo, error) {
	a, err := c.stat(ctx, "stat", typeStat, p)
	if err != nil {
		return nil, err
	}
	return newFileInfo(path.Base(p), a), nil
}

// Lstat is Stat that does not follow a symbolic link.
func (c *Client) Lstat(p string) (os.FileInfo, error) { return c.LstatContext(context.Background(), p) }

// LstatContext is Lstat with a context.
func (c *Client) LstatContext(ctx context.Context, p string) (os.FileInfo, error) {
	a, err := c.stat(ctx, "lstat", typeLstat, p)
	if err != nil {
		return nil, err
	}
	return newFileInfo(path.Base(p), a), nil
}

// Mkdir makes a directory, of which the parent must exist.
func (c *Client) Mkdir(path string) error { return c.MkdirContext(context.Background(), path) }

// MkdirContext is Mkdir with a context.
func (c *Client) MkdirContext(ctx context.Context, path string) error {
	return c.onPath(ctx, "mkdir", typeMkdir, path, &attrs{})
}

// RemoveDirectory removes an empty directory.
func (c *Client) RemoveDirectory(path string) error {
	return c.RemoveDirectoryContext(context.Background(), path)
}

// RemoveDirectoryContext is RemoveDirectory with a context.
func (c *Client) RemoveDirectoryContext(ctx context.Context, path string) error {
	return c.onPath(ctx, "rmdir", typeRmdir, path, nil)
}

// Rename renames a file. Most servers refuse if newname exists; see PosixRename.
func (c *Client) Rename(oldname, newname string) error {
	return c.RenameContext(context.Background(), oldname, newname)
}

// RenameContext is Rename with a context.
func (c *Client) RenameContext(ctx context.Context, oldname, newname string) error {
	return c.onPaths(ctx, "rename", typeRename, "", oldname, newname)
}

// PosixRename renames a file and replaces newname if it exists. It needs the extension posix-rename@openssh.com.
func (c *Client) PosixRename(oldname, newname string) error {
	return c.PosixRenameContext(context.Background(), oldname, newname)
}

// PosixRenameContext is PosixRename with a context.
func (c *Client) PosixRenameContext(ctx context.Context, oldname, newname string) error {
	return c.onPaths(ctx, "rename", typeExtended, extPosixRename, oldname, newname)
}

// Link makes newname a hard link to oldname. It needs the extension hardlink@openssh.com.
func (c *Client) Link(oldname, newname string) error {
	return c.LinkContext(context.Background(), oldname, newname)
}

// LinkContext is Link with a context.
func (c *Client) LinkContext(ctx context.Context, oldname, newname string) error {
	return c.onPaths(ctx, "link", typeExtended, extHardlink, oldname, newname)
}

// Symlink makes newname a symbolic link to oldname. The two go over the wire in the order of OpenSSH, which is the
// opposite of the draft's and what servers have come to expect.
func (c *Client) Symlink(oldname, newname string) error {
	return c.SymlinkContext(context.Background(), oldname, newname)
}

// SymlinkContext is Symlink with a context.
func (c *Client) SymlinkContext(ctx context.Context, oldname, newname string) error {
	return c.onPaths(ctx, "symlink", typeSymlink, "", oldname, newname)
}

// ReadLink returns what a symbolic link points to.
func (c *Client) ReadLink(p string) (string, error) {
	return c.ReadLinkContext(context.Background(), p)
}

// ReadLinkContext is ReadLink with a context.
func (c *Client) ReadLinkContext(ctx context.Context, p string) (string, error) {
	return c.oneName(ctx, "readlink", typeReadlink, "", p)
}

// RealPath returns the absolute path that the server makes of path.
func (c *Client) RealPath(path string) (string, error) {
	return c.RealPathContext(context.Background(), path)
}

// RealPathContext is RealPath with a context.
func (c *Client) RealPathContext(ctx context.Context, path string) (string, error) {
	return c.oneName(ctx, "realpath", typeRealpath, "", path)
}

// Getwd returns the directory that relative paths start from.
func (c *Client) Getwd() (string, error) { return c.GetwdContext(context.Background()) }

// GetwdContext is Getwd with a context.
func (c *Client) GetwdContext(ctx context.Context) (string, error) {
	return c.RealPathContext(ctx, ".")
}

// oneName is for requests that are answered with NAME of a single name.
func (c *Client) oneName(ctx context.Context, op string, typ byte, extension, name string) (string, error) {
	if err := checkPath(op, name); err != nil {
		return "", err
	}
	p := newPacket(typ, 8+len(extension)+len(name))
	if extension != "" {
		p = appendString(p, extension)
	}
	rep, err := c.main.do(ctx, appendString(p, name))
	if err != nil {
		return "", err
	}
	defer rep.free()
	if rep.typ != typeName {
		return "", rep.refusal(op, name)
	}
	ps := parser{b: rep.body}
	count := ps.uint32()
	got := ps.string()
	if ps.bad || count != 1 {
		return "", malformed(op, name, typeName)
	}
	return got, nil
}

func (c *Client) setstat(ctx context.Context, op, name string, a attrs) error {
	return c.onPath(ctx, op, typeSetstat, name, &a)
}

// Chmod sets the permissions of a file. No umask applies.
func (c *Client) Chmod(path string, mode os.FileMode) error {
	return c.ChmodContext(context.Background(), path, mode)
}

// ChmodContext is Chmod with a context.
func (c *Client) ChmodContext(ctx context.Context, path string, mode os.FileMode) error {
	return c.setstat(ctx, "chmod", path, modeAttrs(mode))
}

func modeAttrs(mode os.FileMode) attrs {
	return attrs{flags: attrPermissions, FileStat: FileStat{Mode: wireMode(mode)}}
}

// Chown sets user and group of a file.
func (c *Client) Chown(path string, uid, gid int) error {
	return c.ChownContext(context.Background(), path, uid, gid)
}

// ChownContext is Chown with a context.
func (c *Client) ChownContext(ctx context.Context, path string, uid, gid int) error {
	return c.setstat(ctx, "chown", path, ownerAttrs(uid, gid))
}

func ownerAttrs(uid, gid int) attrs {
	return attrs{flags: attrUIDGID, FileStat: FileStat{UID: uint32(uid), GID: uint32(gid)}}
}

// Chtimes sets access and modification time of a file. The protocol carries whole seconds from 1970 to 2106; other times
// are an error.
func (c *Client) Chtimes(path string, atime, mtime time.Time) error {
	return c.ChtimesContext(context.Background(), path, atime, mtime)
}

// ChtimesContext is Chtimes with a context.
func (c *Client) ChtimesContext(ctx context.Context, path string, atime, mtime time.Time) error {
	a, err := timeAttrs("chtimes", path, atime, mtime)
	if err != nil {
		return err
	}
	return c.setstat(ctx, "chtimes", path, a)
}

// Truncate sets the size of a file.
func (c *Client) Truncate(path string, size int64) error {
	return c.TruncateContext(context.Background(), path, size)
}

// TruncateContext is Truncate with a context.
func (c *Client) TruncateContext(ctx context.Context, path string, size int64) error {
	if size < 0 {
		return &os.PathError{Op: "truncate", Path: path, Err: syscall.EINVAL}
	}
	return c.setstat(ctx, "truncate", path, sizeAttrs(size))
}

func sizeAttrs(size int64) attrs {
	return attrs{flags: attrSize, FileStat: FileStat{Size: uint64(size)}}
}

// SetExtendedData sets attributes that the protocol does not define.
func (c *Client) SetExtendedData(path string, extended []StatExtended) error {
	return c.SetExtendedDataContext(context.Background(), path, extended)
}

// SetExtendedDataContext is SetExtendedData with a context.
func (c *Client) SetExtendedDataContext(ctx context.Context, path string, extended []StatExtended) error {
	return c.setstat(ctx, "setextendeddata", path, extendedAttrs(extended))
}

func extendedAttrs(extended []StatExtended) attrs {
	return attrs{flags: attrExtended, FileStat: FileStat{Extended: extended}}
}
