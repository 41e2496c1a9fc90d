// Package sftp is a client for SFTP, version 3 of the protocol, with the API of the client of github.com/pkg/sftp: a program
// changes one import path. Servers are not part of it; they stay with pkg/sftp.
//
// A transfer is bounded by the wire: it keeps as many requests under way as the file needs, so that a download takes two
// round trips from open to close and an upload three, whatever the size, as long as the window (see below) covers the
// distance. Packets come from the pools of package eddy: moving 10 MiB takes at most 10 allocations.
//
//	conn, err := ssh.Dial("tcp", "host:22", config)
//	...
//	client, err := sftp.NewClient(conn)
//	...
//	defer client.Close()
//	f, err := client.Open("/var/log/syslog")
//	...
//	defer f.Close()
//	_, err = io.Copy(os.Stdout, f) // uses f.WriteTo
//
// # Contexts
//
// Every method that waits has a form with a context: OpenContext, WriteToContext, CloseContext and so on. A call whose context
// is done returns at once; its requests are answered later to nobody, and the session goes on. A server that never
// answers is thus a matter of a deadline. WriteToContext and ReadFromContext do not interrupt the Write or Read of the
// other side that they are just in.
//
// # Ownership
//
// Memory that is handed in is not read or written after the call has returned, also not when it was cancelled. Where a
// call can be cancelled data is copied for that; where it cannot, payloads are received straight into the caller's slice.
//
// # Memory
//
// Payloads that are on their way or wait for a sink take at most 16 MiB a client ([MaxBufferBytes]), and one packet for
// each transfer beyond that, so that none has to wait for another that hangs. Requests are bounded too ([MaxRequests],
// [MaxConcurrentRequestsPerFile]). Lengths that a server declares are not believed before the bytes are there.
//
// The packet size is what the server announces with limits@openssh.com, at most 255 KiB, or 32 KiB if it announces
// nothing; [MaxPacket] sets another.
//
// # Large files over SSH
//
// A channel of golang.org/x/crypto/ssh moves at most 2 MiB in a round trip. With a client of [NewClient], files that are large
// enough are therefore moved over several channels of the connection once the round trip is 4 ms or longer; see
// [Stripes]. A channel that is refused or breaks is done without. The channels stay open for later files: after a file that
// was moved so the next is opened in all of them at once, which saves a round trip, and costs a few small requests once if
// that file is not large.
//
// The file is opened by its name in each channel, and a channel in which that leads to another file is not used: for a
// download as far as size, time, owner and mode tell, for an upload only when the file is seen to grow through it as the
// upload makes it grow. What is written over a file that is as long already, or to a server that does not tell how a file
// grows, goes over one channel.
//
// # Errors
//
// What package os has an error for comes as an *os.PathError (os.ErrNotExist, os.ErrPermission, os.ErrClosed); other
// refusals are a [*StatusError], answers that the protocol does not allow a [*ProtocolError], and the end of the session a
// [*ConnError]. An answer is never taken for a success that it is not: in particular STATUS EOF or OK in place of data, a
// handle or an acknowledged write is an error.
//
// The counts that WriteTo, ReadAt, ReadFrom and the like return with an error are exact: of a download, so many bytes of the
// file were given out, in order; of an upload, so many bytes were acknowledged without a gap. When an upload fails,
// whatever this call had written behind a gap is cut off again, if the file was shorter at its start and the server still
// answers.
//
// # Differences from pkg/sftp
//
//   - A short answer to READ in the middle of a file does not lose the rest.
//   - Uploads keep the window full by default. A server that fails on that is tried again with one WRITE at a time.
//   - A missing file is an *os.PathError, not the bare os.ErrNotExist; os.IsNotExist and errors.Is see both.
//   - Close of a file that was opened for reading does not wait for the server.
//   - Files opened for appending are written from the size that the server tells, one WRITE at a time.
//   - Times that the protocol cannot carry and paths with NUL are refused; listed names that no file can have lead nowhere.
//   - Modes without a type have os.ModeIrregular.
package sftp
