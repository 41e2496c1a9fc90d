package sftp

// A route is one way to a file: a handle in a session. A file has one, and further ones while it is striped.
type route struct {
	s        *session
	handle   string
	inflight int // bytes that are under way
	dead     bool
	// unsure is set until it is known that the handle is of the same file; nothing that arrives counts before.
	unsure bool
	// told is what the server tells of the handle, once it was heard; nil otherwise. (A pointer, so that a File can be compared,
	// as that of others.)
	told  *attrs
	heard bool
}
