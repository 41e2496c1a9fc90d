package zoo

// LowerCase is generated with -lower_camel_case -disable_members_unescape -byte.
//
//easyjson:json
type LowerCase struct {
	UserID   int
	HTMLBody string
	Data     []byte
	Sum      [4]byte
	Given    int `json:"имя"`
}
