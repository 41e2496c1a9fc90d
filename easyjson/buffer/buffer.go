// Package buffer implements the buffer into which package jwriter forms JSON:
// one array from the pools of package eddy while it is small, a chain of them
// when it is large. Its API is that of github.com/mailru/easyjson/buffer.
package buffer

// A Buffer collects bytes. The zero value is empty and ready for use.
//
// The memory comes from a pool and goes back with DumpTo, BuildBytes, Free, or
// the reader that ReadCloser returns; a Buffer that is simply dropped leaves it
// to the garbage collector. Up to 64 KiB the
// contents are in one array, that is, in Buf, and up to 1 MiB if recent ones
// were that long; further arrays have 64 KiB to 1 MiB. See [Init].
//
// Buf may be appended to directly, and may also be replaced, by a slice that
// append has moved or by one of another origin: what the pool did not give is
// never put into it. Do not keep Buf or a part of it beyond the calls above.
// Bytes of Buf between its length and its capacity may be overwritten.
//
// A Buffer belongs to one goroutine at a time. A copy of a Buffer takes its
// contents into memory of its own when it grows or is built, so that nothing
// goes back to the pool twice. Do not use a copy after the memory of its
// original went back: it panics, but only when it grows or is built, and what
// it appends before that may be another's memory by then.
type Buffer struct {
	// Buf is where the next bytes go: the last chunk, or the only one.
	Buf []byte

	chunks [][]byte // full chunks in front of Buf
	hold   *hold    // the arrays that go back; nil until the first growth
	turn   uint64   // hold.turn when it was taken
	self   uintptr  // the address of this Buffer then
}

// EnsureSpace makes sure that Buf has room for at least s more bytes, moving
// its contents or beginning a new chunk if it has not.
func (b *Buffer) EnsureSpace(s int) {
	if cap(b.Buf)-len(b.Buf) < s {
		b.grow(s)
	}
}

// grow makes room for at least s more bytes in Buf.
//
//go:noinline
func (b *Buffer) grow(s int) {
	h := b.own()
	cfg := config.Load()
	used := len(b.Buf)
	if len(b.chunks) == 0 && s <= cfg.MaxSize-used {
		// Still contiguous. The old array is not put back at once: a caller
		// who restores an earlier copy of the Buffer would write into it.
		size := min(max(used+s, 2*cap(b.Buf), cfg.StartSize), cfg.MaxSize)
		size = max(size, min(h.expect(0), cfg.chunkSize))
		b.Buf = append(h.get(size, cfg), b.Buf...)
		return
	}
	expected := min(h.expect(b.Size()), cfg.chunkSize)
	if used > 0 {
		if b.chunks == nil {
			b.chunks = h.list[:0]
		}
		b.chunks = append(b.chunks, b.Buf)
	}
	b.Buf = h.get(max(s, cfg.MaxSize, expected), cfg)
}

// AppendByte adds one byte to the contents.
func (b *Buffer) AppendByte(data byte) {
	if len(b.Buf) == cap(b.Buf) {
		b.grow(1)
	}
	b.Buf = append(b.Buf, data)
}

// AppendBytes adds data to the contents, as a copy.
func (b *Buffer) AppendBytes(data []byte) {
	if len(data) <= cap(b.Buf)-len(b.Buf) {
		b.Buf = append(b.Buf, data...)
		return
	}
	appendSlow(b, data)
}

// AppendString adds the bytes of data to the contents.
func (b *Buffer) AppendString(data string) {
	if len(data) <= cap(b.Buf)-len(b.Buf) {
		b.Buf = append(b.Buf, data...)
		return
	}
	appendSlow(b, data)
}

// appendSlow fills what is left of the current chunk before it begins another.
//
//go:noinline
func appendSlow[T []byte | string](b *Buffer, data T) {
	limit := config.Load().MaxSize
	for len(data) > 0 {
		room := cap(b.Buf) - len(b.Buf)
		if len(b.chunks) == 0 && len(data) <= limit-len(b.Buf) {
			b.EnsureSpace(len(data))
			room = len(data)
		} else if room == 0 {
			b.grow(1)
			room = cap(b.Buf) - len(b.Buf)
		}
		n := min(room, len(data))
		b.Buf = append(b.Buf, data[:n]...)
		data = data[n:]
	}
}

// Size returns the number of bytes in the buffer.
func (b *Buffer) Size() int {
	size := len(b.Buf)
	for _, c := range b.chunks {
		size += len(c)
	}
	return size
}

// AppendTo appends the contents to dst, and leaves them in the buffer.
func (b *Buffer) AppendTo(dst []byte) []byte {
	for _, c := range b.chunks {
		dst = append(dst, c...)
	}
	return append(dst, b.Buf...)
}
