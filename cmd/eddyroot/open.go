package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/eddy-go/eddy/compress/rootio"
)

// open opens a ROOT file, which close closes. Errors name its path.
func open(path string) (root *rootio.File, close func(), err error) {
	f, err := os.Open(path)
	if err != nil {
		var e *fs.PathError
		if errors.As(err, &e) {
			err = e.Err
		}
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	if root, err = openRoot(f); err != nil {
		f.Close()
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	return root, func() { f.Close() }, nil
}

func openRoot(f *os.File) (*rootio.File, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return nil, errors.New("is a directory")
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("is no regular file, of which any part can be read")
	}
	return rootio.Open(f, info.Size())
}
