package rootio

// Tree returns the tree of a path, "dir/tree" or "dir/tree;2": without a cycle
// that of the latest one. It reads the tree's record, and through the file's
// own descriptions of classes what is in it. The baskets are left for columns
// to read.
func (f *File) Tree(path string) (*Tree, error) {
	k, err := f.Key(path)
	if err != nil {
		return nil, err
	}
	return f.tree(k)
}

// Tree returns the tree that k is the key of.
func (k Key) Tree() (*Tree, error) { return k.file.tree(k) }

// readStreamers reads the file's descriptions of classes. What cannot be read
// of them is missing.
func (f *File) readStreamers() *infos {
	if f.seekInfo == 0 {
		return &infos{}
	}
	k, err := f.readKey(f.seekInfo, &texts{})
	if err != nil {
		return &infos{err: err}
	}
	payload, err := k.AppendPayload(nil)
	if err != nil {
		return &infos{err: err}
	}
	return readInfos(payload, k.KeyLen, freeObjects+k.PayloadLen())
}
