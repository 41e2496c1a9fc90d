//go:build cbench

package main

/*
#cgo LDFLAGS: -ldeflate -lz
#include <stdlib.h>
#include <string.h>
#include <libdeflate.h>
#include <zlib.h>

static int eddy_deflate(z_stream *s, void *src, size_t n, void *dst, size_t m) {
	deflateReset(s);
	s->next_in = src; s->avail_in = n; s->next_out = dst; s->avail_out = m;
	return deflate(s, Z_FINISH) == Z_STREAM_END ? (int)(m - s->avail_out) : -1;
}
static int eddy_inflate(z_stream *s, void *src, size_t n, void *dst, size_t m) {
	inflateReset(s);
	s->next_in = src; s->avail_in = n; s->next_out = dst; s->avail_out = m;
	return inflate(s, Z_FINISH) == Z_STREAM_END ? (int)(m - s->avail_out) : -1;
}
static int eddy_deflate_init(z_stream *s, int level) { memset(s, 0, sizeof *s); return deflateInit(s, level); }
static int eddy_inflate_init(z_stream *s) { memset(s, 0, sizeof *s); return inflateInit(s); }
*/
import "C"

import (
	"errors"
	"runtime"
	"unsafe"
)

func init() {
	blockRows["zlib"] = append(blockRows["zlib"],
		blockRow{"libdeflate", "C, reused", func(l int) blockWorker { return newCDeflate(l) }},
		blockRow{"zlib", "C, reused", func(l int) blockWorker { return newCZlib(l) }})
}

var errC = errors.New("the C library failed")

type cDeflate struct {
	c         *C.struct_libdeflate_compressor
	d         *C.struct_libdeflate_decompressor
	dst, back []byte
}

func newCDeflate(level int) *cDeflate {
	w := &cDeflate{c: C.libdeflate_alloc_compressor(C.int(level)), d: C.libdeflate_alloc_decompressor()}
	runtime.AddCleanup(w, func(c *C.struct_libdeflate_compressor) { C.libdeflate_free_compressor(c) }, w.c)
	runtime.AddCleanup(w, func(d *C.struct_libdeflate_decompressor) { C.libdeflate_free_decompressor(d) }, w.d)
	return w
}

func (w *cDeflate) compress(src []byte) ([]byte, error) {
	dst := room(&w.dst, 2*len(src)+1000)
	n := C.libdeflate_zlib_compress(w.c, unsafe.Pointer(&src[0]), C.size_t(len(src)), unsafe.Pointer(&dst[0]), C.size_t(len(dst)))
	if n == 0 {
		return nil, errC
	}
	return dst[:n], nil
}

func (w *cDeflate) decompress(src []byte, size int) ([]byte, error) {
	dst := room(&w.back, size)
	if C.libdeflate_zlib_decompress(w.d, unsafe.Pointer(&src[0]), C.size_t(len(src)), unsafe.Pointer(&dst[0]), C.size_t(size), nil) != C.LIBDEFLATE_SUCCESS {
		return nil, errC
	}
	return dst, nil
}

// cZlib's streams are in C's memory: they point into themselves.
type cZlib struct {
	w, r      *C.z_stream
	dst, back []byte
}

func newCZlib(level int) *cZlib {
	w := &cZlib{w: (*C.z_stream)(C.malloc(C.sizeof_z_stream)), r: (*C.z_stream)(C.malloc(C.sizeof_z_stream))}
	C.eddy_deflate_init(w.w, C.int(level))
	C.eddy_inflate_init(w.r)
	runtime.AddCleanup(w, func(s *C.z_stream) { C.deflateEnd(s); C.free(unsafe.Pointer(s)) }, w.w)
	runtime.AddCleanup(w, func(s *C.z_stream) { C.inflateEnd(s); C.free(unsafe.Pointer(s)) }, w.r)
	return w
}

func (w *cZlib) compress(src []byte) ([]byte, error) {
	dst := room(&w.dst, 2*len(src)+1000)
	n := C.eddy_deflate(w.w, unsafe.Pointer(&src[0]), C.size_t(len(src)), unsafe.Pointer(&dst[0]), C.size_t(len(dst)))
	if n < 0 {
		return nil, errC
	}
	return dst[:n], nil
}

func (w *cZlib) decompress(src []byte, size int) ([]byte, error) {
	dst := room(&w.back, size)
	if C.eddy_inflate(w.r, unsafe.Pointer(&src[0]), C.size_t(len(src)), unsafe.Pointer(&dst[0]), C.size_t(size)) != C.int(size) {
		return nil, errC
	}
	return dst, nil
}
