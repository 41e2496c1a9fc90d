package sftp

import (
	"slices"
	"time"
)

const (
	defaultBytes           = 16 << 20
	defaultRequests        = 4096
	defaultRequestsPerFile = 1024
)

// A waiter is told when something of the budgets has come back. It is called with mu held and must not block. What it
// needs it takes in resume, or enters itself again: nobody who asks later can be faster.
type waiter interface {
	// resume tells whether it took something.
	resume() bool
	// lacks tells whether it is a budget that it waits for, and not the transport.
	lacks() bool
}

// await enters w in the queue of those who want something of the budgets. The caller holds mu and enters w once.
func (c *Client) await(w waiter) { c.waiting = append(c.waiting, w) }

// forget takes w out of the queue.
func (c *Client) forget(w waiter) {
	for i, x := range c.waiting {
		if x == w {
			c.waiting = append(c.waiting[:i], c.waiting[i+1:]...)
			return
		}
	}
}

// contended tells whether others than w wait for a budget.
func (c *Client) contended(w waiter) bool {
	for _, x := range c.waiting {
		if x != w && x.lacks() {
			return true
		}
	}
	return false
}

// serve gives every waiter its turn, in order. Those who get nothing keep their place; those who got something and want more
// enter themselves behind all others.
func (c *Client) serve() {
	if c.serving {
		return
	}
	c.serving = true
	kept := 0
	for n := len(c.waiting); n > 0 && kept < len(c.waiting); n-- {
		w := c.waiting[kept]
		c.waiting = slices.Delete(c.waiting, kept, kept+1)
		got := w.resume()
		if k := len(c.waiting) - 1; !got && k >= kept && c.waiting[k] == w {
			copy(c.waiting[kept+1:], c.waiting[kept:k])
			c.waiting[kept] = w
			kept++
		}
	}
	c.serving = false
}

// pieceCost is what a piece counts at least, however short: its record, and the smallest buffers.
const pieceCost = 512

// affords tells whether the budget has room for a piece of n bytes. What is at the head of a transfer's line gets its bytes
// also beyond the budget: it is what everything else of the transfer waits for.
func (c *Client) affords(n int) bool { return c.bytes+max(n, pieceCost) <= c.opt.bytes }

// charge takes a piece of n bytes from the budget for p.
func (c *Client) charge(p *piece, n int) {
	n = max(n, pieceCost)
	c.bytes += n
	p.charged += n
}

// measured takes note of a round trip. Bulk transfers queue in front of small requests, so that single samples can be far
// too long: what is shorter counts at once, what is longer slowly.
func (c *Client) measured(d time.Duration) {
	if c.rtt == 0 || d < c.rtt {
		c.rtt = d
	} else {
		c.rtt += (min(d, 4*c.rtt) - c.rtt) / 8
	}
}
