package sftp

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"syscall"
)

// EBADF is what a method of a closed File or of the wrong kind of handle matches on some platforms.
const EBADF = syscall.EBADF

type fxerr uint32

// Codes of a STATUS packet, for [StatusError.FxCode] and errors.Is.
const (
	ErrSSHFxOk               = fxerr(statusOK)
	ErrSSHFxEOF              = fxerr(statusEOF)
	ErrSSHFxNoSuchFile       = fxerr(statusNoSuchFile)
	ErrSSHFxPermissionDenied = fxerr(statusPermissionDenied)
	ErrSSHFxFailure          = fxerr(statusFailure)
	ErrSSHFxBadMessage       = fxerr(statusBadMessage)
	ErrSSHFxNoConnection     = fxerr(statusNoConnection)
	ErrSSHFxConnectionLost   = fxerr(statusConnectionLost)
	ErrSSHFxOpUnsupported    = fxerr(statusUnsupported)
)

// Older spellings of the codes.
const (
	ErrSshFxOk               = ErrSSHFxOk
	ErrSshFxEof              = ErrSSHFxEOF
	ErrSshFxNoSuchFile       = ErrSSHFxNoSuchFile
	ErrSshFxPermissionDenied = ErrSSHFxPermissionDenied
	ErrSshFxFailure          = ErrSSHFxFailure
	ErrSshFxBadMessage       = ErrSSHFxBadMessage
	ErrSshFxNoConnection     = ErrSSHFxNoConnection
	ErrSshFxConnectionLost   = ErrSSHFxConnectionLost
	ErrSshFxOpUnsupported    = ErrSSHFxOpUnsupported
)

func (e fxerr) Error() string {
	switch e {
	case ErrSSHFxOk:
		return "ok"
	case ErrSSHFxEOF:
		return "end of file"
	case ErrSSHFxNoSuchFile:
		return "no such file"
	case ErrSSHFxPermissionDenied:
		return "permission denied"
	case ErrSSHFxFailure:
		return "failure"
	case ErrSSHFxBadMessage:
		return "bad message"
	case ErrSSHFxNoConnection:
		return "no connection"
	case ErrSSHFxConnectionLost:
		return "connection lost"
	case ErrSSHFxOpUnsupported:
		return "operation unsupported"
	}
	return "status " + strconv.Itoa(int(e))
}

// A StatusError is a refusal by the server that has no counterpart in package os. What has one (no such file,
// permission denied) comes as an *os.PathError on os.ErrNotExist or os.ErrPermission, so that os.IsNotExist sees it.
type StatusError struct {
	// Code is the code of the STATUS packet.
	Code uint32

	msg, lang string
	op, path  string
}

func (s *StatusError) Error() string {
	text := "sftp: "
	if s.op != "" {
		text += s.op + " "
		if s.path != "" {
			text += s.path + ": "
		}
	}
	if s.msg == "" {
		return text + fxerr(s.Code).Error()
	}
	return fmt.Sprintf("%s%q (%v)", text, s.msg, fxerr(s.Code))
}

// FxCode returns the code in the type of the exported codes.
func (s *StatusError) FxCode() fxerr { return fxerr(s.Code) }

// Is matches the code itself and what means the same in package os.
func (s *StatusError) Is(target error) bool {
	switch target {
	case fs.ErrNotExist:
		return s.Code == statusNoSuchFile || s.Code == statusNoSuchPath
	case fs.ErrPermission:
		return s.Code == statusPermissionDenied || s.Code == statusWriteProtect
	case fs.ErrExist:
		return s.Code == statusFileExists
	case errors.ErrUnsupported:
		return s.Code == statusUnsupported
	}
	code, ok := target.(fxerr)
	return ok && uint32(code) == s.Code
}

// A ProtocolError says that the server answered what the protocol does not allow there: it is never taken for success.
type ProtocolError struct {
	Op   string // what was asked, such as "open"
	Path string // of which file
	Text string // what is wrong with the answer
}

func (e *ProtocolError) Error() string {
	if e.Op == "" {
		return "sftp: " + e.Text
	}
	return fmt.Sprintf("sftp: %s %s: %s", e.Op, e.Path, e.Text)
}

// Is matches ErrInternalInconsistency and ErrSSHFxBadMessage, which other clients report.
func (e *ProtocolError) Is(target error) bool {
	return target == ErrInternalInconsistency || target == ErrSSHFxBadMessage
}

// A ConnError says why the session with the server has ended. It matches ErrSSHFxConnectionLost.
type ConnError struct {
	Err error // the cause
}

func (e *ConnError) Error() string        { return "sftp: connection lost: " + e.Err.Error() }
func (e *ConnError) Unwrap() error        { return e.Err }
func (e *ConnError) Is(target error) bool { return target == ErrSSHFxConnectionLost }

var (
	// ErrInternalInconsistency is matched by a *ProtocolError.
	ErrInternalInconsistency = errors.New("internal inconsistency")

	// InternalInconsistency is an older name of ErrInternalInconsistency.
	//
	// Deprecated: use ErrInternalInconsistency.
	InternalInconsistency = ErrInternalInconsistency

	// ErrClientClosed is the cause in a *ConnError after Close of the client.
	ErrClientClosed = errors.New("client closed")

	// ErrBadName is wrapped when a name that a server listed cannot be that of a file in the directory: it is empty,
	// or contains a slash or NUL. Such a name is never joined to a path, where it could mean another file.
	ErrBadName = errors.New("server listed a name that no file can have")

	errNoSize = errors.New("server does not tell the file's size")
)

// statusError is the error for a STATUS packet. It is never nil and never io.EOF: whether EOF or OK are right where they
// came is for the caller to say.
func statusError(op, path string, st status) error {
	switch st.code {
	case statusNoSuchFile, statusNoSuchPath:
		return &os.PathError{Op: op, Path: path, Err: os.ErrNotExist}
	case statusPermissionDenied:
		return &os.PathError{Op: op, Path: path, Err: os.ErrPermission}
	case statusOK:
		return &ProtocolError{Op: op, Path: path, Text: "STATUS OK where no success was possible"}
	}
	return &StatusError{Code: st.code, msg: st.msg, lang: st.lang, op: op, path: path}
}

func unexpected(op, path string, got byte) error {
	return &ProtocolError{Op: op, Path: path, Text: "unexpected answer: " + packetName(got)}
}

func malformed(op, path string, got byte) error {
	return &ProtocolError{Op: op, Path: path, Text: "malformed " + packetName(got)}
}

func unsupported(op, path, extension string) error {
	return &StatusError{Code: statusUnsupported, op: op, path: path, msg: "server does not announce " + extension}
}
