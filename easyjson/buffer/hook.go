package buffer

import "github.com/eddy-go/eddy/easyjson/internal/hook"

func init() {
	hook.Pin = func(buffer any) {
		b := buffer.(*Buffer)
		h := &hold{pinned: true, first: make([]byte, 0, firstSize)}
		*b = Buffer{Buf: h.first, hold: h, self: addressOf(b)}
	}
	hook.Retire = func(buffer any) {
		*buffer.(*Buffer) = Buffer{hold: &hold{turn: 1}}
	}
}
