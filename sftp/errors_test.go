package sftp

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"
	"testing"
)

// Which of the errors of a program match what a server says.
func TestStatusErrors(t *testing.T) {
	known := []error{fs.ErrNotExist, fs.ErrPermission, fs.ErrExist, errors.ErrUnsupported}
	for code, want := range map[uint32]error{
		statusNoSuchFile: fs.ErrNotExist, statusNoSuchPath: fs.ErrNotExist, statusPermissionDenied: fs.ErrPermission,
		statusWriteProtect: fs.ErrPermission, statusFileExists: fs.ErrExist, statusUnsupported: errors.ErrUnsupported,
		statusFailure: nil, statusBadMessage: nil, statusNoConnection: nil, statusConnectionLost: nil, statusEOF: nil, statusOK: nil, 77: nil,
	} {
		err := statusError("open", "a/b", status{code: code, msg: "text of the server"})
		if err == nil || errors.Is(err, io.EOF) {
			t.Fatalf("%d: %v", code, err)
		}
		for _, target := range known {
			if got := errors.Is(err, target); got != (target == want) {
				t.Errorf("%v is %v: %v", err, target, got)
			}
		}
		if os.IsNotExist(err) && want != fs.ErrNotExist || os.IsPermission(err) && want != fs.ErrPermission {
			t.Errorf("%v: for package os", err)
		}
		if !strings.Contains(err.Error(), "open") || !strings.Contains(err.Error(), "a/b") {
			t.Errorf("%v does not say what failed", err)
		}
		if code == statusOK {
			if !errors.Is(err, ErrSSHFxBadMessage) || !errors.Is(err, ErrInternalInconsistency) {
				t.Error(err)
			}
			continue
		}
		var st *StatusError
		if errors.As(err, &st) && (st.Code != code || st.FxCode() != fxerr(code) || !errors.Is(err, fxerr(code)) || errors.Is(err, fxerr(code+1)) ||
			!strings.Contains(err.Error(), "text of the server")) {
			t.Errorf("%d: %v", code, err)
		}
	}
}

func TestErrorTexts(t *testing.T) {
	for _, c := range []struct {
		err  error
		want string
	}{
		{&StatusError{Code: 4}, "sftp: failure"},
		{&StatusError{Code: 4, op: "getwd"}, "sftp: getwd failure"},
		{&StatusError{Code: 4, op: "open", path: "f"}, "sftp: open f: failure"},
		{&StatusError{Code: 99, op: "open", path: "f", msg: "a\nb"}, `sftp: open f: "a\nb" (status 99)`},
		{&ProtocolError{Text: "odd"}, "sftp: odd"},
		{&ProtocolError{Op: "read", Path: "f", Text: "odd"}, "sftp: read f: odd"},
		{&ConnError{io.ErrUnexpectedEOF}, "sftp: connection lost: unexpected EOF"},
	} {
		if got := c.err.Error(); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
	seen := map[string]bool{}
	for code := range fxerr(11) {
		if text := code.Error(); text == "" || seen[text] {
			t.Errorf("%d: %q", code, text)
		} else {
			seen[text] = true
		}
	}
	seen = map[string]bool{}
	for typ := range 256 {
		if text := packetName(byte(typ)); text != "packet of unknown type" {
			if seen[text] {
				t.Errorf("%d: %q", typ, text)
			}
			seen[text] = true
		}
	}
	if len(seen) != 27 {
		t.Errorf("%d names of packets", len(seen))
	}
}
