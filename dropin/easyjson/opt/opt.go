// Package opt has the names of github.com/eddy-go/eddy/easyjson/opt.
package opt

import "github.com/eddy-go/eddy/easyjson/opt"

type (
	Bool    = opt.Bool
	Int     = opt.Int
	Int8    = opt.Int8
	Int16   = opt.Int16
	Int32   = opt.Int32
	Int64   = opt.Int64
	Uint    = opt.Uint
	Uint8   = opt.Uint8
	Uint16  = opt.Uint16
	Uint32  = opt.Uint32
	Uint64  = opt.Uint64
	Float32 = opt.Float32
	Float64 = opt.Float64
	String  = opt.String
)

func OBool(v bool) Bool { return opt.OBool(v) }

func OInt(v int) Int { return opt.OInt(v) }

func OInt8(v int8) Int8 { return opt.OInt8(v) }

func OInt16(v int16) Int16 { return opt.OInt16(v) }

func OInt32(v int32) Int32 { return opt.OInt32(v) }

func OInt64(v int64) Int64 { return opt.OInt64(v) }

func OUint(v uint) Uint { return opt.OUint(v) }

func OUint8(v uint8) Uint8 { return opt.OUint8(v) }

func OUint16(v uint16) Uint16 { return opt.OUint16(v) }

func OUint32(v uint32) Uint32 { return opt.OUint32(v) }

func OUint64(v uint64) Uint64 { return opt.OUint64(v) }

func OFloat32(v float32) Float32 { return opt.OFloat32(v) }

func OFloat64(v float64) Float64 { return opt.OFloat64(v) }

func OString(v string) String { return opt.OString(v) }
