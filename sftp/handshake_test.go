package sftp

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/eddy-go/eddy/sftp/internal/fakeserver"
)

func TestBannerBeforeVersion(t *testing.T) {
	for greeting, want := range map[string]string{
		"Welcome to host\r\nLast login: today\r\n":     "Welcome to host",
		"\x1b[1mHi\x1b[0m there":                       "Hi",
		"\x00\x00\x00\x05\x02\x00\x00\x00\x09":         "version 9",
		"\x00\x00\x00\x00":                             "00000000",
		"\x00\x00\x00\x05\x65\x00\x00\x00\x03":         "no VERSION",
		"\x00\x00\x00\x07\x02\x00\x00\x00\x03\x00\x00": "malformed VERSION",
		"\x00\x00": "before VERSION",
	} {
		srv := fakeserver.New(nil)
		srv.Greeting = []byte(greeting)
		if greeting == "\x00\x00" {
			srv.Greeting = nil
			srv.Ext = nil
			r, w := io.Pipe()
			go func() { w.Write([]byte(greeting)); w.Close() }()
			_, err := NewClientPipe(r, nopCloser{io.Discard})
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%q: %v", greeting, err)
			}
			continue
		}
		x, err := tryDial(t, srv)
		if err == nil || x.Client != nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", greeting, err)
		}
	}
}

type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }

func TestHandshakeIsCancelled(t *testing.T) {
	bubble(t, func(t *testing.T) {
		r, _ := io.Pipe()
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		if c, err := NewClientPipeContext(ctx, r, nopCloser{io.Discard}); c != nil || !errors.Is(err, context.DeadlineExceeded) {
			t.Error(c, err)
		}
	})
}
