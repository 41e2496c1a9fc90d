// Package sftp holds eddy's SFTP client against the client of pkg/sftp: the same names mean the same.
package sftp

import (
	"go/types"
	"slices"
	"strings"
	"testing"

	"github.com/eddy-go/eddy/bench/interop/apidiff"
)

const (
	peerPath = "github.com/pkg/sftp"
	eddyPath = "github.com/eddy-go/eddy/sftp"
)

// serverSide are the names of pkg/sftp that belong to its servers, which stay there.
var serverSide = []string{
	"FileAttrFlags", "FileCmder", "FileLister", "FileOpenFlags", "FileReader", "FileWriter", "Handlers", "InMemHandler", "ListerAt",
	"LstatFileLister", "MaxFilelist", "NameLookupFileLister", "NewRequest", "NewRequestServer", "NewServer", "OpenFileWriter",
	"PosixRenameFileCmder", "ReadOnly", "ReadlinkFileLister", "RealPathFileLister", "Request", "RequestServer", "RequestServerOption",
	"Server", "ServerOption", "SetSFTPExtensions", "SftpServerWorkerCount", "StatVFSFileCmder", "TransferError", "WithAllocator",
	"WithDebug", "WithMaxTxPacket", "WithRSAllocator", "WithRSMaxTxPacket", "WithServerWorkingDirectory", "WithStartDirectory",
	"WindowsRootEnumeratesDrives", "WriterAtReaderAt",
}

// accidental are methods that pkg/sftp's Client has only because of what it embeds: nobody can use them without breaking the
// session.
var accidental = []string{
	"(*Client).Lock is missing", "(*Client).Unlock is missing", "(*Client).TryLock is missing", "(*Client).Read is missing",
	"(*Client).Write is missing", "(Client).Read is missing", "(Client).Write is missing",
}

// Whatever compiled against pkg/sftp's client compiles against eddy's.
func TestNothingIsMissing(t *testing.T) {
	l, err := apidiff.NewLoader(".", true, "-mod=readonly", peerPath, eddyPath)
	if err != nil {
		t.Fatal(err)
	}
	load := func(path string) *types.Package {
		p, err := l.Package(path)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	have := load(eddyPath)
	for _, miss := range apidiff.Missing(load(peerPath), have, peerPath, eddyPath) {
		name, _, _ := strings.Cut(strings.Trim(miss, "(*"), " ")
		name, _, _ = strings.Cut(name, ".")
		name = strings.TrimSuffix(name, ")")
		if !slices.Contains(serverSide, name) && !slices.Contains(accidental, miss) {
			t.Error(miss)
		}
	}
	for _, name := range serverSide {
		if have.Scope().Lookup(name) != nil {
			t.Errorf("%s is there, but listed as a server's", name)
		}
	}
}
