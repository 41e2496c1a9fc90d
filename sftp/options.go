package sftp

import (
	"errors"
	"io"
)

// A ClientOption configures a client when it is made.
type ClientOption func(*Client) error

type options struct {
	maxPacket    int  // largest payload; 0 for what the server allows
	requests     int  // at a time, of each session
	perFile      int  // at a time, of one transfer
	bytes        int  // of payload buffers
	stripes      int  // most sessions for one file; 0 for automatic
	stripeBytes  int  // what a channel moves in a round trip
	serialReads  bool // one READ at a time, and no STAT
	serialWrites bool
	statByPath   bool
	stderr       io.Writer
}

func defaultOptions() options {
	return options{requests: defaultRequests, perFile: defaultRequestsPerFile, bytes: defaultBytes, stripeBytes: stripeBytes}
}

// MaxPacketChecked sets the largest payload of a packet, in bytes. It refuses more than 32768, which every server
// takes. Without it a client uses what the server announces, or 32768 if it announces nothing.
func MaxPacketChecked(size int) ClientOption {
	return func(c *Client) error {
		if size > safePayload {
			return errors.New("sftp: not every server takes packets of more than 32768 bytes")
		}
		return MaxPacketUnchecked(size)(c)
	}
}

// MaxPacketUnchecked is MaxPacketChecked without its upper bound, for servers that take more without announcing it. What a
// server announces still holds.
func MaxPacketUnchecked(size int) ClientOption {
	return func(c *Client) error {
		if size < 1 {
			return errors.New("sftp: packet size of less than one byte")
		}
		c.opt.maxPacket = min(size, largestPayload)
		return nil
	}
}

// MaxPacket is MaxPacketChecked.
func MaxPacket(size int) ClientOption { return MaxPacketChecked(size) }

// MaxConcurrentRequestsPerFile bounds the requests of one transfer that are not yet answered. The default is as many as
// the file needs within the budgets of the client, and at most 1024.
func MaxConcurrentRequestsPerFile(n int) ClientOption {
	return func(c *Client) error {
		if n < 1 {
			return errors.New("sftp: less than one request per file")
		}
		c.opt.perFile = n
		return nil
	}
}

// MaxRequests bounds the requests of all callers together that are not yet answered, for servers that refuse more. The
// default is 4096, and more than 32768 are never under way. A request that was cancelled counts until the server has answered it.
func MaxRequests(n int) ClientOption {
	return func(c *Client) error {
		if n < 1 {
			return errors.New("sftp: less than one request")
		}
		c.opt.requests = min(n, maxSlots/2)
		return nil
	}
}

// MaxBufferBytes bounds the memory for payloads that are on their way or wait for a slow sink, of all transfers of
// the client together. The default is 16 MiB. Every transfer may have one packet beyond it, without which it could not
// go on while others hold the budget.
func MaxBufferBytes(n int) ClientOption {
	return func(c *Client) error {
		if n < 1 {
			return errors.New("sftp: less than one byte of buffers")
		}
		c.opt.bytes = n
		return nil
	}
}

// Stripes bounds how many channels of the SSH connection move one large file, since a channel of
// golang.org/x/crypto/ssh moves at most 2 MiB in a round trip. 1 turns striping off. 0, the default, means up to 8,
// for files and round trips that make it worth it; 2 and more mean that many, for every file of some size. OpenSSH allows
// 10 channels in a connection; a channel that is refused or breaks is done without. Uploads are striped only while they
// make the file longer. Clients of [NewClientPipe] have one channel.
func Stripes(n int) ClientOption {
	return func(c *Client) error {
		if n < 0 {
			return errors.New("sftp: negative number of stripes")
		}
		c.opt.stripes = n
		return nil
	}
}

// UseConcurrentWrites(false) makes a transfer wait for each WRITE before it sends the next, for servers that must have
// writes in order. The default is to keep the window full; after a failure, a transfer tries on its own account whether
// the server takes the same writes one by one.
func UseConcurrentWrites(value bool) ClientOption {
	return func(c *Client) error {
		c.opt.serialWrites = !value
		return nil
	}
}

// UseConcurrentReads(false) makes a transfer wait for each READ before it sends the next, and send no STAT, for servers
// that allow a file to be read once only.
func UseConcurrentReads(value bool) ClientOption {
	return func(c *Client) error {
		c.opt.serialReads = !value
		return nil
	}
}

// UseFstat(false) makes WriteTo ask for the size by the name of the file, for servers that cannot tell it of a handle.
// The default is to ask with the handle.
func UseFstat(value bool) ClientOption {
	return func(c *Client) error {
		c.opt.statByPath = !value
		return nil
	}
}

// CopyStderrTo makes NewClient copy what the server's program writes to its standard error to wr, which is not closed.
func CopyStderrTo(wr io.Writer) ClientOption {
	return func(c *Client) error {
		c.opt.stderr = wr
		return nil
	}
}
