package sftp

import (
	"cmp"
	"context"
	"errors"
	"io"
	"math"
	"os"
	"path"
	"syscall"
)

// A File is an open file of the server.
//
// Its methods may be called from several goroutines. Those that use and move the offset (Read, Write, WriteTo,
// ReadFrom, Seek) run one after the other; all others, Close among them, run beside them. After Close a transfer that
// is under way fails with os.ErrClosed.
type File struct {
	c     *Client
	name  string
	main  route
	flags int // of OpenFile

	turn chan struct{} // one token, held by the call that uses the offset
	off  int64

	// Guarded by the client's mu.
	closed  bool
	fresh   bool // empty when it was opened, and nothing written since
	size    int64
	sized   bool      // size is what was last told
	running transfers // to be told of Close
	ahead   *striping // what was opened in stripes together with the file; nil once it is used or given up
	astray  stray
}

// A transfer is a call that is to be told when its file is closed.
type transfer interface {
	interrupt()
}

// Open opens a file for reading.
func (c *Client) Open(path string) (*File, error) { return c.OpenContext(context.Background(), path) }

// OpenContext is Open with a context, which does not concern the File afterwards.
func (c *Client) OpenContext(ctx context.Context, path string) (*File, error) {
	return c.OpenFileContext(ctx, path, os.O_RDONLY)
}

// Create creates a file, or empties it if it exists, and opens it for reading and writing. Some servers refuse to open
// for both; use OpenFile with os.O_WRONLY|os.O_CREATE|os.O_TRUNC there.
func (c *Client) Create(path string) (*File, error) {
	return c.CreateContext(context.Background(), path)
}

// CreateContext is Create with a context, which does not concern the File afterwards.
func (c *Client) CreateContext(ctx context.Context, path string) (*File, error) {
	return c.OpenFileContext(ctx, path, os.O_RDWR|os.O_CREATE|os.O_TRUNC)
}

// OpenFile opens a file with the flags of package os.
//
// With os.O_APPEND every write begins at the size that the server tells at that moment, since some servers append by
// themselves and others write where they are told. Then one WRITE at a time is under way, and each call asks for the size first.
func (c *Client) OpenFile(path string, f int) (*File, error) {
	return c.OpenFileContext(context.Background(), path, f)
}

// OpenFileContext is OpenFile with a context, which does not concern the File afterwards.
func (c *Client) OpenFileContext(ctx context.Context, path string, f int) (*File, error) {
	if err := checkPath("open", path); err != nil {
		return nil, err
	}
	flags := openFlags(f)
	ahead := c.openAhead(path, flags)
	h, err := c.main.openHandle(ctx, "open", path, openPacket(path, flags))
	if err != nil {
		c.giveUp(ahead)
		return nil, err
	}
	file := &File{
		c: c, name: path, flags: f, ahead: ahead,
		main:  route{s: c.main, handle: h},
		turn:  make(chan struct{}, 1),
		fresh: f&os.O_TRUNC != 0 || f&(os.O_CREATE|os.O_EXCL) == os.O_CREATE|os.O_EXCL,
	}
	return file, nil
}

func openPacket(path string, flags uint32) []byte {
	p := appendString(newPacket(typeOpen, 4+len(path)+8), path)
	return appendAttrs(appendUint32(p, flags), &attrs{})
}

func openFlags(f int) uint32 {
	var out uint32
	switch f & (os.O_RDONLY | os.O_WRONLY | os.O_RDWR) {
	case os.O_RDONLY:
		out = openRead
	case os.O_WRONLY:
		out = openWrite
	case os.O_RDWR:
		out = openRead | openWrite
	}
	for _, x := range []struct {
		os   int
		wire uint32
	}{{os.O_APPEND, openAppend}, {os.O_CREATE, openCreate}, {os.O_TRUNC, openTrunc}, {os.O_EXCL, openExcl}} {
		if f&x.os != 0 {
			out |= x.wire
		}
	}
	return out
}

// Name returns the path that the file was opened with.
func (f *File) Name() string { return f.name }

// writable tells whether something may be lost when a CLOSE fails.
func (f *File) writable() bool { return f.flags&(os.O_WRONLY|os.O_RDWR) != 0 }

// Close closes the file. Of a file that was opened for reading it does not wait for the server's answer, which could not
// matter; of one opened for writing it does, and returns what the server says.
func (f *File) Close() error { return f.CloseContext(context.Background()) }

// CloseContext is Close with a context. The file is closed for its user also when the context ends first.
func (f *File) CloseContext(ctx context.Context) error {
	if f == nil {
		return os.ErrInvalid
	}
	c, s := f.c, f.main.s
	c.mu.Lock()
	if f.closed {
		c.mu.Unlock()
		return f.errClosed("close")
	}
	f.closed = true
	for t := range f.running.all {
		t.interrupt()
	}
	f.dropAhead()
	f.astray.news()
	if !f.writable() {
		err := s.gone()
		s.closeHandle(f.main.handle)
		c.mu.Unlock()
		return err
	}
	c.mu.Unlock()
	err := s.doStatus(ctx, nil, "close", f.name, f.packet(typeClose, 0))
	c.mu.Lock()
	defer c.mu.Unlock()
	for f.astray.away > 0 && !errors.Is(err, ErrSSHFxConnectionLost) {
		if late := f.pause(ctx); late != nil {
			return cmp.Or(err, late)
		}
	}
	return err
}

func (f *File) errClosed(op string) error {
	return &os.PathError{Op: op, Path: f.name, Err: os.ErrClosed}
}

// check is the error of a method on a file that cannot do it.
func (f *File) check(op string) error {
	if f == nil {
		return os.ErrInvalid
	}
	f.c.mu.Lock()
	defer f.c.mu.Unlock()
	if f.closed {
		return f.errClosed(op)
	}
	return nil
}

// packet starts a request on the file's handle with room for n bytes more.
func (f *File) packet(typ byte, n int) []byte {
	return appendString(newPacket(typ, 4+len(f.main.handle)+n), f.main.handle)
}

// lock waits until the offset is free.
func (f *File) lock(ctx context.Context, op string) error {
	if err := f.check(op); err != nil {
		return err
	}
	select {
	case f.turn <- struct{}{}:
	default:
		select {
		case f.turn <- struct{}{}:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	if err := f.check(op); err != nil {
		f.unlock()
		return err
	}
	return nil
}

func (f *File) unlock() { <-f.turn }

// Stat returns what the server tells about the file.
func (f *File) Stat() (os.FileInfo, error) { return f.StatContext(context.Background()) }

// StatContext is Stat with a context.
func (f *File) StatContext(ctx context.Context) (os.FileInfo, error) {
	a, err := f.stat(ctx)
	if err != nil {
		return nil, err
	}
	return newFileInfo(path.Base(f.name), a), nil
}

func (f *File) stat(ctx context.Context) (attrs, error) {
	if err := f.check("stat"); err != nil {
		return attrs{}, err
	}
	a, err := f.main.s.doAttrs(ctx, f, "stat", f.name, f.packet(typeFstat, 0))
	if err == nil && a.flags&attrSize != 0 {
		f.c.mu.Lock()
		f.sized = sizeKnown(a.Size)
		f.size = int64(min(a.Size, math.MaxInt64))
		f.c.mu.Unlock()
	}
	return a, err
}

// length asks for the size.
func (f *File) length(ctx context.Context) (int64, error) {
	a, err := f.stat(ctx)
	if err != nil {
		return 0, err
	}
	if a.flags&attrSize == 0 || int64(a.Size) < 0 {
		return 0, &os.PathError{Op: "stat", Path: f.name, Err: errNoSize}
	}
	return int64(a.Size), nil
}

// Seek sets the offset of the next Read or Write. Relative to the end it asks the server for the size.
func (f *File) Seek(offset int64, whence int) (int64, error) {
	return f.SeekContext(context.Background(), offset, whence)
}

// SeekContext is Seek with a context.
func (f *File) SeekContext(ctx context.Context, offset int64, whence int) (int64, error) {
	if err := f.lock(ctx, "seek"); err != nil {
		return 0, err
	}
	defer f.unlock()
	switch whence {
	case io.SeekStart:
	case io.SeekCurrent:
		offset += f.off
	case io.SeekEnd:
		n, err := f.length(ctx)
		if err != nil {
			return f.off, err
		}
		offset += n
	default:
		return f.off, &os.PathError{Op: "seek", Path: f.name, Err: syscall.EINVAL}
	}
	if offset < 0 {
		return f.off, &os.PathError{Op: "seek", Path: f.name, Err: syscall.EINVAL}
	}
	f.off = offset
	return offset, nil
}

func (f *File) setstat(ctx context.Context, op string, a attrs) error {
	if err := f.check(op); err != nil {
		return err
	}
	return f.main.s.doStatus(ctx, f, op, f.name, appendAttrs(f.packet(typeFsetstat, 32), &a))
}

// Chmod sets the permissions of the file. No umask applies.
func (f *File) Chmod(mode os.FileMode) error { return f.ChmodContext(context.Background(), mode) }

// ChmodContext is Chmod with a context.
func (f *File) ChmodContext(ctx context.Context, mode os.FileMode) error {
	return f.setstat(ctx, "chmod", modeAttrs(mode))
}

// Chown sets user and group of the file.
func (f *File) Chown(uid, gid int) error { return f.ChownContext(context.Background(), uid, gid) }

// ChownContext is Chown with a context.
func (f *File) ChownContext(ctx context.Context, uid, gid int) error {
	return f.setstat(ctx, "chown", ownerAttrs(uid, gid))
}

// Truncate sets the size of the file. The offset stays.
func (f *File) Truncate(size int64) error { return f.TruncateContext(context.Background(), size) }

// TruncateContext is Truncate with a context.
func (f *File) TruncateContext(ctx context.Context, size int64) error {
	if size < 0 {
		return &os.PathError{Op: "truncate", Path: f.name, Err: syscall.EINVAL}
	}
	if err := f.check("truncate"); err != nil {
		return err
	}
	f.c.mu.Lock()
	err := f.rest(ctx, "truncate")
	f.fresh, f.sized = false, false
	f.c.mu.Unlock()
	if err != nil {
		return err
	}
	return f.setstat(ctx, "truncate", sizeAttrs(size))
}

// SetExtendedData sets attributes that the protocol does not define. The path is not used; it is there because others
// have it.
func (f *File) SetExtendedData(path string, extended []StatExtended) error {
	return f.SetExtendedDataContext(context.Background(), extended)
}

// SetExtendedDataContext is SetExtendedData with a context, and without the path.
func (f *File) SetExtendedDataContext(ctx context.Context, extended []StatExtended) error {
	return f.setstat(ctx, "setextendeddata", extendedAttrs(extended))
}

// Sync asks the server to write the file to stable storage. It needs the extension fsync@openssh.com.
func (f *File) Sync() error { return f.SyncContext(context.Background()) }

// SyncContext is Sync with a context.
func (f *File) SyncContext(ctx context.Context) error {
	if err := f.check("sync"); err != nil {
		return err
	}
	if _, ok := f.c.ext[extFsync]; !ok {
		return unsupported("sync", f.name, extFsync)
	}
	p := appendString(newPacket(typeExtended, 8+len(extFsync)+len(f.main.handle)), extFsync)
	return f.main.s.doStatus(ctx, f, "sync", f.name, appendString(p, f.main.handle))
}

// transfers are those that run on a file: mostly one.
type transfers struct {
	first transfer
	more  *[]transfer // so that a File can be compared, as that of others
}

func (l *transfers) all(yield func(transfer) bool) {
	if l.first != nil && !yield(l.first) || l.more == nil {
		return
	}
	for _, t := range *l.more {
		if !yield(t) {
			return
		}
	}
}

func (l *transfers) enter(t transfer) {
	if l.first == nil {
		l.first = t
		return
	}
	if l.more == nil {
		l.more = new([]transfer)
	}
	*l.more = append(*l.more, t)
}

func (l *transfers) leave(t transfer) {
	if l.first == t {
		l.first = nil
		return
	}
	for i, x := range *l.more {
		if x == t {
			k := len(*l.more) - 1
			(*l.more)[i], (*l.more)[k] = (*l.more)[k], nil
			*l.more = (*l.more)[:k]
			return
		}
	}
}
