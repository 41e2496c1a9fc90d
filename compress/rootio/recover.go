package rootio

import "errors"

// recover walks through the records of a file to find the keys of directories
// whose lists are lost, by the directory that each key was made in. The error
// is what the walk could not read, or nil.
func (f *File) recover() (map[int64][]Key, error) {
	found := map[int64][]Key{}
	var errs []error
	for r, err := range f.Records() {
		switch {
		case err != nil:
			if len(errs) < maxWalkErrors {
				errs = append(errs, err)
			}
		case r.Gap == 0 && f.isListed(r.Key):
			found[r.Parent] = append(found[r.Parent], r.Key)
		}
	}
	return found, errors.Join(errs...)
}

// maxWalkErrors bounds what is kept of a walk through a file that is damaged
// all over.
const maxWalkErrors = 16

// isListed tells a record that a directory lists from those that are found in
// other ways: baskets, the lists themselves, and the records of the file's own.
func (f *File) isListed(k Key) bool {
	switch {
	case k.Class == "TBasket", k.Class == "TFile", k.Class == blobClass, k.Offset == f.seekInfo, k.Offset == f.begin:
		return false
	case k.Class == "TList" && k.Name == infoName:
		return false
	case k.IsDir():
		// Its list and its header have the same class.
		_, err := f.readDir(k, int64(k.KeyLen), "")
		return k.Stored() && err == nil
	}
	return true
}

const infoName = "StreamerInfo"
