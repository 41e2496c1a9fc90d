package zoo

//lint:file-ignore SA5008 the generator has options in tags that encoding/json does not know

// SnakeCase is generated with -snake_case -omit_empty -disallow_unknown_fields.
//
//easyjson:json
type SnakeCase struct {
	UserID      int
	HTTPServer  string
	SimpleWord  bool
	Keep        int `json:",!omitempty"`
	Inner       SnakeInner
	ListOfThing []SnakeInner
}

// SnakeInner belongs to SnakeCase.
type SnakeInner struct {
	LongName string
	X2       *float64
}
