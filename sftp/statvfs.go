package sftp

import (
	"context"
	"encoding/binary"
)

// StatVFS is what statvfs@openssh.com tells about a file system; the names are those of POSIX.
type StatVFS struct {
	ID      uint32
	Bsize   uint64 // size of a block
	Frsize  uint64 // size of a fragment, the unit of the counts of blocks
	Blocks  uint64
	Bfree   uint64
	Bavail  uint64 // free for those who are not root
	Files   uint64 // inodes
	Ffree   uint64
	Favail  uint64
	Fsid    uint64
	Flag    uint64
	Namemax uint64 // length of a name
}

// TotalSpace returns the size of the file system in bytes.
func (p *StatVFS) TotalSpace() uint64 { return p.Frsize * p.Blocks }

// FreeSpace returns what is free in bytes.
func (p *StatVFS) FreeSpace() uint64 { return p.Frsize * p.Bfree }

// MarshalBinary returns the answer packet that carries p.
func (p *StatVFS) MarshalBinary() ([]byte, error) {
	b := binary.BigEndian.AppendUint32(nil, 1+4+11*8)
	b = append(b, typeExtendedReply)
	b = binary.BigEndian.AppendUint32(b, p.ID)
	for _, v := range p.fields() {
		b = binary.BigEndian.AppendUint64(b, *v)
	}
	return b, nil
}

func (p *StatVFS) fields() []*uint64 {
	return []*uint64{&p.Bsize, &p.Frsize, &p.Blocks, &p.Bfree, &p.Bavail, &p.Files, &p.Ffree, &p.Favail, &p.Fsid, &p.Flag, &p.Namemax}
}

// StatVFS asks about the file system that path is on. It needs the extension statvfs@openssh.com.
func (c *Client) StatVFS(path string) (*StatVFS, error) {
	return c.StatVFSContext(context.Background(), path)
}

// StatVFSContext is StatVFS with a context.
func (c *Client) StatVFSContext(ctx context.Context, path string) (*StatVFS, error) {
	if err := checkPath("statvfs", path); err != nil {
		return nil, err
	}
	return c.statVFS(ctx, nil, path, extStatVFS, path)
}

// StatVFS asks about the file system that the file is on. It needs the extension fstatvfs@openssh.com.
func (f *File) StatVFS(ctx context.Context) (*StatVFS, error) {
	if err := f.check("statvfs"); err != nil {
		return nil, err
	}
	return f.c.statVFS(ctx, f, f.name, extFstatVFS, f.main.handle)
}

func (c *Client) statVFS(ctx context.Context, f *File, path, extension, arg string) (*StatVFS, error) {
	rep, err := c.extended(ctx, f, "statvfs", path, extension, func(p []byte) []byte { return appendString(p, arg) })
	if err != nil {
		return nil, err
	}
	defer rep.free()
	if rep.typ != typeExtendedReply {
		return nil, rep.refusal("statvfs", path)
	}
	ps, v := parser{b: rep.body}, &StatVFS{}
	for _, x := range v.fields() {
		*x = ps.uint64()
	}
	if ps.bad {
		return nil, malformed("statvfs", path, rep.typ)
	}
	return v, nil
}

// extended sends a request of an extension, if that is announced.
func (c *Client) extended(ctx context.Context, f *File, op, path, extension string, args func([]byte) []byte) (reply, error) {
	if _, ok := c.ext[extension]; !ok {
		return reply{}, unsupported(op, path, extension)
	}
	return c.main.doFile(ctx, f, args(appendString(newPacket(typeExtended, 64+len(path)), extension)))
}
