package jwriter

import "github.com/eddy-go/eddy/jsonwire"

// Float32 appends n with the fewest digits that stand for it; see [StdFormat]
// for the format. NaN and the infinities set Error, to a
// *[jsonwire.FloatError], and append nothing.
func (w *Writer) Float32(n float32) { w.float(float64(n), 32) }

// Float64 is Float32 for a float64.
func (w *Writer) Float64(n float64) { w.float(n, 64) }

// Float32Str is Float32 with quotes around the number.
func (w *Writer) Float32Str(n float32) { w.floatStr(float64(n), 32) }

// Float64Str is Float64 with quotes around the number.
func (w *Writer) Float64Str(n float64) { w.floatStr(n, 64) }

func (w *Writer) float(n float64, bitSize int) {
	w.Buffer.EnsureSpace(jsonwire.FloatRoom)
	var err error
	if (w.Flags|Compat)&StdFormat != 0 {
		w.Buffer.Buf, err = jsonwire.AppendFloat(w.Buffer.Buf, n, bitSize)
	} else {
		w.Buffer.Buf, err = jsonwire.AppendFloatG(w.Buffer.Buf, n, bitSize)
	}
	if err != nil {
		w.fail(err)
	}
}

func (w *Writer) floatStr(n float64, bitSize int) {
	if n-n != 0 {
		w.fail(&jsonwire.FloatError{Value: n})
		return
	}
	w.Buffer.AppendByte('"')
	w.float(n, bitSize)
	w.Buffer.AppendByte('"')
}
