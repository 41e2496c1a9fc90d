package inflate

import (
	"encoding/binary"
	"sync"
)

const preRoot = 7 // no code of the code lengths is longer

// The order in which a dynamic block gives the lengths of the code lengths.
var preOrder = [19]uint8{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}

var preEntry = func() (t [19]uint32) {
	for i := range t {
		t[i] = uint32(i) << 16
	}
	return t
}()

type fixedTables struct {
	lit  litTable
	dist distTable
}

// The tables of the fixed code (RFC 1951, 3.2.6), made when first met.
var fixed = sync.OnceValue(func() *fixedTables {
	f := new(fixedTables)
	var lens [288]uint8
	for i := range lens {
		switch {
		case i < 144:
			lens[i] = 8
		case i < 256:
			lens[i] = 9
		case i < 280:
			lens[i] = 7
		default:
			lens[i] = 8
		}
	}
	build(f.lit[:], lens[:], litEntry[:], litRoot)
	var dlens [32]uint8
	for i := range dlens {
		dlens[i] = 5
	}
	build(f.dist[:], dlens[:], distEntry[:], distRoot)
	return f
})

// bitReader reads the header's small fields.
type bitReader struct {
	src  []byte
	sp   int
	bits uint64
	n    uint
}

// fill makes at least 56 bits available, or all that are left.
func (r *bitReader) fill() {
	if r.sp+8 <= len(r.src) {
		r.bits |= binary.LittleEndian.Uint64(r.src[r.sp:]) << r.n
		r.sp += int(63-r.n) >> 3
		r.n |= 56
		// The bits above n are those of src[sp], and are read again from there.
		r.bits &= 1<<r.n - 1
		return
	}
	for r.n <= 56 && r.sp < len(r.src) {
		r.bits |= uint64(r.src[r.sp]) << r.n
		r.sp++
		r.n += 8
	}
}

// take returns k bits that are known to be there.
func (r *bitReader) take(k uint) uint {
	v := uint(r.bits) & (1<<k - 1)
	r.bits >>= k
	r.n -= k
	return v
}

// header reads one block header. With errNeedInput nothing is consumed.
func (d *Decoder) header(src []byte, sp int) (int, error) {
	r := bitReader{src: src, sp: sp, bits: d.bits, n: d.nbits}
	r.fill()
	if r.n < 3 {
		return sp, errNeedInput
	}
	final := r.take(1) == 1
	switch r.take(2) {
	case 0:
		r.take(r.n & 7)
		r.sp -= int(r.n >> 3)
		r.bits, r.n = 0, 0
		if r.sp+4 > len(src) {
			return sp, errNeedInput
		}
		size := binary.LittleEndian.Uint16(src[r.sp:])
		if binary.LittleEndian.Uint16(src[r.sp+2:]) != ^size {
			return r.sp, CorruptError(r.sp)
		}
		r.sp += 4
		d.stored = int(size)
		d.phase = inStored
	case 1:
		f := fixed()
		d.lit, d.dist = &f.lit, &f.dist
		d.phase = inCodes
	case 2:
		if err := d.dynamic(&r); err != nil {
			if err == errNeedInput {
				return sp, err
			}
			return r.sp, err
		}
		d.lit, d.dist = &d.ownLit, &d.ownDist
		d.phase = inCodes
	default:
		return r.sp, CorruptError(r.sp)
	}
	d.final = final
	d.bits, d.nbits = r.bits, r.n&7
	d.bits &= 1<<d.nbits - 1
	return r.sp - int(r.n>>3), nil
}

// dynamic reads the code lengths of a block and builds its tables.
func (d *Decoder) dynamic(r *bitReader) error {
	r.fill()
	if r.n < 14 {
		return errNeedInput
	}
	nlit := int(r.take(5)) + 257
	ndist := int(r.take(5)) + 1
	npre := int(r.take(4)) + 4
	if nlit > maxLit || ndist > maxDist {
		return CorruptError(r.sp)
	}

	var preLens [19]uint8
	for _, i := range preOrder[:npre] {
		if r.n < 3 {
			if r.fill(); r.n < 3 {
				return errNeedInput
			}
		}
		preLens[i] = uint8(r.take(3))
	}
	if !build(d.pre[:], preLens[:], preEntry[:], preRoot) {
		return CorruptError(r.sp)
	}

	lens := &d.lens
	total := nlit + ndist
	for i := 0; i < total; {
		if r.n < 14 {
			r.fill()
		}
		e := d.pre[r.bits&(1<<preRoot-1)]
		k := uint(e & entTotal)
		if k > r.n {
			return errNeedInput
		}
		if e&entInvalid != 0 {
			return CorruptError(r.sp)
		}
		sym := uint8(e >> 16)
		if sym < 16 {
			r.bits >>= k
			r.n -= k
			lens[i] = sym
			i++
			continue
		}
		var extra, base uint
		var v uint8
		switch sym {
		case 16:
			if i == 0 {
				return CorruptError(r.sp)
			}
			extra, base, v = 2, 3, lens[i-1]
		case 17:
			extra, base = 3, 3
		default:
			extra, base = 7, 11
		}
		if k+extra > r.n {
			return errNeedInput
		}
		r.take(k)
		rep := int(base + r.take(extra))
		if i+rep > total {
			return CorruptError(r.sp)
		}
		run := lens[i : i+rep]
		for j := range run {
			run[j] = v
		}
		i += rep
	}

	if lens[256] == 0 || // such a block could not end
		!build(d.ownLit[:], lens[:nlit], litEntry[:], litRoot) ||
		!build(d.ownDist[:], lens[nlit:total], distEntry[:], distRoot) {
		return CorruptError(r.sp)
	}
	return nil
}
