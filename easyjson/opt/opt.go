// Package opt has optional values of the basic types: fields that tell an absent member, or a null, from a zero value.
// Its API is that of github.com/mailru/easyjson/opt. The types work with easyjson's generated code and with
// encoding/json; with omitempty, generated code leaves out what is undefined.
package opt

//go:generate go run generate.go
