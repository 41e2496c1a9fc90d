// Package release tries a release before it is published: it packs the modules of a source tree the way a module proxy
// would serve them, into a folder that the go command takes as a proxy, and builds what is in there from empty modules
// that know nothing of the tree. What a workspace or a replace hides from a developer (a version that does not exist,
// a file outside its module, a replace that keeps a command from being installed) shows there.
//
// The command is internal/release/check.
package release
