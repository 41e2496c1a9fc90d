// Package jwriter has the names of github.com/eddy-go/eddy/easyjson/jwriter.
package jwriter

import "github.com/eddy-go/eddy/easyjson/jwriter"

type (
	Flags  = jwriter.Flags
	Writer = jwriter.Writer
)

const (
	NilMapAsEmpty   = jwriter.NilMapAsEmpty
	NilSliceAsEmpty = jwriter.NilSliceAsEmpty
)
