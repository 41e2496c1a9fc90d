//go:build eddydebug

package buffer

import "github.com/eddy-go/eddy/easyjson/internal/late"

func init() {
	late.Retire = func(buffer any) {
		*buffer.(*Buffer) = Buffer{hold: &hold{turn: 1}}
	}
}
