package main

import (
	"io"
	"net"
	"os"
	"sync"
	"time"
)

// late delays what is written to w.
func late(w io.WriteCloser, delay time.Duration) io.WriteCloser {
	l := &lateWriter{delay: delay, queue: make(chan lateWrite, 1<<14), done: make(chan struct{})}
	go func() {
		defer close(l.done)
		defer w.Close()
		for x := range l.queue {
			time.Sleep(time.Until(x.at))
			if _, err := w.Write(x.b); err != nil {
				for range l.queue {
				}
				return
			}
		}
	}()
	return l
}

type lateWrite struct {
	at time.Time
	b  []byte
}

type lateWriter struct {
	delay time.Duration
	mu    sync.Mutex
	ended bool
	queue chan lateWrite
	done  chan struct{}
}

func (l *lateWriter) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ended {
		return 0, os.ErrClosed
	}
	l.queue <- lateWrite{time.Now().Add(l.delay), append([]byte(nil), p...)}
	return len(p), nil
}

func (l *lateWriter) Close() error {
	l.mu.Lock()
	if !l.ended {
		l.ended = true
		close(l.queue)
	}
	l.mu.Unlock()
	<-l.done
	return nil
}

// proxy returns an address that leads to the SSH server with a delay each way.
func (h *sftpHost) proxy(delay time.Duration) (addr string, stop func(), err error) {
	if delay == 0 {
		return h.server.Addr, func() {}, nil
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	go func() {
		for {
			from, err := l.Accept()
			if err != nil {
				return
			}
			to, err := net.Dial("tcp", h.server.Addr)
			if err != nil {
				from.Close()
				continue
			}
			go forward(to, from, delay)
			go forward(from, to, delay)
		}
	}()
	return l.Addr().String(), func() { l.Close() }, nil
}

func forward(to, from net.Conn, delay time.Duration) {
	w := late(to, delay)
	defer w.Close()
	b := make([]byte, 256<<10)
	for {
		n, err := from.Read(b)
		if n > 0 {
			w.Write(b[:n])
		}
		if err != nil {
			return
		}
	}
}
