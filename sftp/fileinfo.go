package sftp

import (
	"os"
	"time"
)

// FileInfoUidGid is implemented by every os.FileInfo of this package.
type FileInfoUidGid interface {
	os.FileInfo
	Uid() uint32
	Gid() uint32
}

// FileInfoExtendedData is implemented by every os.FileInfo of this package.
type FileInfoExtendedData interface {
	os.FileInfo
	Extended() []StatExtended
}

// fileInfo is what Stat and ReadDir return.
type fileInfo struct {
	name string
	mode os.FileMode
	attrs
}

// newFileInfo has the mode os.ModeIrregular when the server did not tell the type.
func newFileInfo(name string, a attrs) *fileInfo {
	fi := &fileInfo{name: name, attrs: a, mode: a.FileMode()}
	if !a.typed() {
		fi.mode |= os.ModeIrregular
	}
	return fi
}

func (fi *fileInfo) Name() string             { return fi.name }
func (fi *fileInfo) Size() int64              { return int64(min(fi.attrs.Size, 1<<63-1)) }
func (fi *fileInfo) Mode() os.FileMode        { return fi.mode }
func (fi *fileInfo) IsDir() bool              { return fi.mode.IsDir() }
func (fi *fileInfo) ModTime() time.Time       { return fi.attrs.ModTime() }
func (fi *fileInfo) Sys() any                 { return &fi.attrs.FileStat }
func (fi *fileInfo) Uid() uint32              { return fi.UID }
func (fi *fileInfo) Gid() uint32              { return fi.GID }
func (fi *fileInfo) Extended() []StatExtended { return fi.attrs.FileStat.Extended }

// typeFromLongname reads the type from the first letter of a line like that of ls -l, for servers that list names
// without permissions.
func typeFromLongname(line []byte) (os.FileMode, bool) {
	// The line must look like one: type, nine permissions, a space or a mark of further ones.
	if len(line) < 11 {
		return 0, false
	}
	for _, c := range line[1:10] {
		switch c {
		case 'r', 'w', 'x', 's', 'S', 't', 'T', '-':
		default:
			return 0, false
		}
	}
	switch line[0] {
	case '-':
		return 0, true
	case 'd':
		return os.ModeDir, true
	case 'l':
		return os.ModeSymlink, true
	case 'p':
		return os.ModeNamedPipe, true
	case 's':
		return os.ModeSocket, true
	case 'b':
		return os.ModeDevice, true
	case 'c':
		return os.ModeDevice | os.ModeCharDevice, true
	}
	return 0, false
}
