package opt_test

import (
	"fmt"

	"github.com/eddy-go/eddy/easyjson/opt"
)

func ExampleBool() {
	v := opt.OBool(true)
	fmt.Println(v.Get(false), opt.Bool{}.Get(false), opt.Bool{})
	// Output: true false <undefined>
}

func ExampleFloat32() {
	v := opt.OFloat32(1.5)
	fmt.Println(v.Get(1), opt.Float32{}.Get(1), opt.Float32{})
	// Output: 1.5 1 <undefined>
}

func ExampleFloat64() {
	v := opt.OFloat64(1.5)
	fmt.Println(v.Get(1), opt.Float64{}.Get(1), opt.Float64{})
	// Output: 1.5 1 <undefined>
}

func ExampleInt() {
	v := opt.OInt(7)
	fmt.Println(v.Get(1), opt.Int{}.Get(1), opt.Int{})
	// Output: 7 1 <undefined>
}

func ExampleInt8() {
	v := opt.OInt8(7)
	fmt.Println(v.Get(1), opt.Int8{}.Get(1), opt.Int8{})
	// Output: 7 1 <undefined>
}

func ExampleInt16() {
	v := opt.OInt16(7)
	fmt.Println(v.Get(1), opt.Int16{}.Get(1), opt.Int16{})
	// Output: 7 1 <undefined>
}

func ExampleInt32() {
	v := opt.OInt32(7)
	fmt.Println(v.Get(1), opt.Int32{}.Get(1), opt.Int32{})
	// Output: 7 1 <undefined>
}

func ExampleInt64() {
	v := opt.OInt64(7)
	fmt.Println(v.Get(1), opt.Int64{}.Get(1), opt.Int64{})
	// Output: 7 1 <undefined>
}

func ExampleString() {
	v := opt.OString("blue")
	fmt.Println(v.Get("none"), opt.String{}.Get("none"), opt.String{})
	// Output: blue none <undefined>
}

func ExampleUint() {
	v := opt.OUint(7)
	fmt.Println(v.Get(1), opt.Uint{}.Get(1), opt.Uint{})
	// Output: 7 1 <undefined>
}

func ExampleUint8() {
	v := opt.OUint8(7)
	fmt.Println(v.Get(1), opt.Uint8{}.Get(1), opt.Uint8{})
	// Output: 7 1 <undefined>
}

func ExampleUint16() {
	v := opt.OUint16(7)
	fmt.Println(v.Get(1), opt.Uint16{}.Get(1), opt.Uint16{})
	// Output: 7 1 <undefined>
}

func ExampleUint32() {
	v := opt.OUint32(7)
	fmt.Println(v.Get(1), opt.Uint32{}.Get(1), opt.Uint32{})
	// Output: 7 1 <undefined>
}

func ExampleUint64() {
	v := opt.OUint64(7)
	fmt.Println(v.Get(1), opt.Uint64{}.Get(1), opt.Uint64{})
	// Output: 7 1 <undefined>
}
