package jwriter

import "github.com/eddy-go/eddy/jsonwire"

// Uint8 appends n.
func (w *Writer) Uint8(n uint8) { w.uint(uint64(n)) }

// Uint16 appends n.
func (w *Writer) Uint16(n uint16) { w.uint(uint64(n)) }

// Uint32 appends n.
func (w *Writer) Uint32(n uint32) { w.uint(uint64(n)) }

// Uint appends n.
func (w *Writer) Uint(n uint) { w.uint(uint64(n)) }

// Uint64 appends n.
func (w *Writer) Uint64(n uint64) { w.uint(n) }

// Int8 appends n.
func (w *Writer) Int8(n int8) { w.int(int64(n)) }

// Int16 appends n.
func (w *Writer) Int16(n int16) { w.int(int64(n)) }

// Int32 appends n.
func (w *Writer) Int32(n int32) { w.int(int64(n)) }

// Int appends n.
func (w *Writer) Int(n int) { w.int(int64(n)) }

// Int64 appends n.
func (w *Writer) Int64(n int64) { w.int(n) }

// Uint8Str appends n in quotes.
func (w *Writer) Uint8Str(n uint8) { w.uintStr(uint64(n)) }

// Uint16Str appends n in quotes.
func (w *Writer) Uint16Str(n uint16) { w.uintStr(uint64(n)) }

// Uint32Str appends n in quotes.
func (w *Writer) Uint32Str(n uint32) { w.uintStr(uint64(n)) }

// UintStr appends n in quotes.
func (w *Writer) UintStr(n uint) { w.uintStr(uint64(n)) }

// Uint64Str appends n in quotes.
func (w *Writer) Uint64Str(n uint64) { w.uintStr(n) }

// UintptrStr appends n in quotes.
func (w *Writer) UintptrStr(n uintptr) { w.uintStr(uint64(n)) }

// Int8Str appends n in quotes.
func (w *Writer) Int8Str(n int8) { w.intStr(int64(n)) }

// Int16Str appends n in quotes.
func (w *Writer) Int16Str(n int16) { w.intStr(int64(n)) }

// Int32Str appends n in quotes.
func (w *Writer) Int32Str(n int32) { w.intStr(int64(n)) }

// IntStr appends n in quotes.
func (w *Writer) IntStr(n int) { w.intStr(int64(n)) }

// Int64Str appends n in quotes.
func (w *Writer) Int64Str(n int64) { w.intStr(n) }

func (w *Writer) uint(n uint64) {
	w.Buffer.EnsureSpace(jsonwire.IntRoom)
	b := w.Buffer.Buf
	w.Buffer.Buf = w.Buffer.Buf[:jsonwire.PutUint(b[:cap(b)], len(b), n)]
}

func (w *Writer) int(n int64) {
	w.Buffer.EnsureSpace(jsonwire.IntRoom)
	b := w.Buffer.Buf
	i := len(b)
	if n >= 0 {
		i = jsonwire.PutUint(b[:cap(b)], i, uint64(n))
	} else {
		i = jsonwire.PutInt(b[:cap(b)], i, n)
	}
	w.Buffer.Buf = w.Buffer.Buf[:i]
}

func (w *Writer) uintStr(n uint64) {
	w.Buffer.EnsureSpace(jsonwire.IntRoom)
	b := w.Buffer.Buf
	w.Buffer.Buf = w.Buffer.Buf[:jsonwire.PutQuotedUint(b[:cap(b)], len(b), n)]
}

func (w *Writer) intStr(n int64) {
	w.Buffer.EnsureSpace(jsonwire.IntRoom)
	b := w.Buffer.Buf
	w.Buffer.Buf = w.Buffer.Buf[:jsonwire.PutQuotedInt(b[:cap(b)], len(b), n)]
}
