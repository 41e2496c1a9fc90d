package zoo

//lint:file-ignore SA5008 the generator has options in tags that encoding/json does not know

import "github.com/mailru/easyjson/opt"

// OmitZero is generated with -omit_zero -no_std_marshalers.
//
//easyjson:json
type OmitZero struct {
	I     int
	S     string
	B     bool
	F     float64
	P     *int
	L     []int
	M     map[string]int
	Arr   [2]int
	In    ZeroInner
	O     opt.Int
	Keep  int       `json:",!omitzero"`
	Empty []int     `json:"empty,omitempty"`
	Z     ZeroAware `json:"z"`
}

// ZeroInner is comparable.
type ZeroInner struct{ A, B int }

// ZeroAware decides by itself.
type ZeroAware struct{ N int }

// IsZero implements easyjson.IsZero: what is below 10 counts as nothing.
func (z ZeroAware) IsZero() bool { return z.N < 10 }
