package sftp

import (
	"context"
	"os"
	"syscall"
	"time"
)

// CopyTo makes the server copy length bytes of f from off on to dst at dstOff, without that they come here; length 0 means
// up to the end. Both files must be of the same client. It needs the extension copy-data, which OpenSSH has since 9.0.
//
// The server answers when it is done, or with an error that does not tell how far it came.
func (f *File) CopyTo(ctx context.Context, dst *File, off, length, dstOff int64) error {
	if err := f.check("copy"); err != nil {
		return err
	}
	if err := dst.check("copy"); err != nil {
		return err
	}
	if off < 0 || length < 0 || dstOff < 0 || dst.c != f.c {
		return &os.PathError{Op: "copy", Path: f.name, Err: syscall.EINVAL}
	}
	dst.c.mu.Lock()
	dst.fresh, dst.sized = false, false
	dst.c.mu.Unlock()
	rep, err := f.c.extended(ctx, f, "copy", f.name, extCopyData, func(p []byte) []byte {
		p = appendString(p, f.main.handle)
		p = appendUint64(appendUint64(p, uint64(off)), uint64(length))
		return appendUint64(appendString(p, dst.main.handle), uint64(dstOff))
	})
	if err != nil {
		return err
	}
	defer rep.free()
	return rep.asStatus("copy", f.name)
}

// ExpandPath is RealPath that also knows "~" and "~user". It needs the extension expand-path@openssh.com.
func (c *Client) ExpandPath(ctx context.Context, path string) (string, error) {
	return c.extendedName(ctx, "expand-path", extExpandPath, path)
}

// HomeDirectory returns the home of a user; "" is who is logged in. It needs the extension home-directory.
func (c *Client) HomeDirectory(ctx context.Context, user string) (string, error) {
	return c.extendedName(ctx, "home-directory", extHome, user)
}

func (c *Client) extendedName(ctx context.Context, op, extension, name string) (string, error) {
	if _, ok := c.ext[extension]; !ok {
		return "", unsupported(op, name, extension)
	}
	return c.oneName(ctx, op, typeExtended, extension, name)
}

// UsersGroupsByID returns the names of users and groups; "" is one that the server does not know. It needs the extension
// users-groups-by-id@openssh.com.
func (c *Client) UsersGroupsByID(ctx context.Context, uids, gids []uint32) (users, groups []string, err error) {
	const op = "users-groups-by-id"
	if 4*(len(uids)+len(gids)) > maxPath {
		return nil, nil, &os.PathError{Op: op, Err: syscall.E2BIG}
	}
	rep, err := c.extended(ctx, nil, op, "", extUsersGroups, func(p []byte) []byte {
		for _, ids := range [][]uint32{uids, gids} {
			p = appendUint32(p, uint32(4*len(ids)))
			for _, id := range ids {
				p = appendUint32(p, id)
			}
		}
		return p
	})
	if err != nil {
		return nil, nil, err
	}
	defer rep.free()
	if rep.typ != typeExtendedReply {
		return nil, nil, rep.refusal(op, "")
	}
	ps := parser{b: rep.body}
	bad := false
	list := func(n int) (names []string) {
		in := parser{b: ps.bytes()}
		for range n {
			names = append(names, in.string())
		}
		bad = bad || in.bad
		return names
	}
	users, groups = list(len(uids)), list(len(gids))
	if bad || ps.bad {
		return nil, nil, malformed(op, "", rep.typ)
	}
	return users, groups, nil
}

// Lchmod, Lchown and Lchtimes concern a symbolic link itself. They need the extension lsetstat@openssh.com.
func (c *Client) Lchmod(ctx context.Context, path string, mode os.FileMode) error {
	return c.lsetstat(ctx, "lchmod", path, modeAttrs(mode))
}

// Lchown is Chown of a symbolic link; see Lchmod.
func (c *Client) Lchown(ctx context.Context, path string, uid, gid int) error {
	return c.lsetstat(ctx, "lchown", path, ownerAttrs(uid, gid))
}

// Lchtimes is Chtimes of a symbolic link; see Lchmod.
func (c *Client) Lchtimes(ctx context.Context, path string, atime, mtime time.Time) error {
	a, err := timeAttrs("lchtimes", path, atime, mtime)
	if err != nil {
		return err
	}
	return c.lsetstat(ctx, "lchtimes", path, a)
}

func (c *Client) lsetstat(ctx context.Context, op, path string, a attrs) error {
	if err := checkPath(op, path); err != nil {
		return err
	}
	rep, err := c.extended(ctx, nil, op, path, extLsetstat, func(p []byte) []byte {
		return appendAttrs(appendString(p, path), &a)
	})
	if err != nil {
		return err
	}
	defer rep.free()
	return rep.asStatus(op, path)
}

// Chtimes sets access and modification time of the file; see [Client.Chtimes].
func (f *File) Chtimes(ctx context.Context, atime, mtime time.Time) error {
	a, err := timeAttrs("chtimes", f.name, atime, mtime)
	if err != nil {
		return err
	}
	return f.setstat(ctx, "chtimes", a)
}
