package main

import (
	"io"
	"os"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// A progress shows on a terminal how far a command is; anywhere else nothing.
// Its methods may be called by several goroutines.
type progress struct {
	mu  sync.Mutex
	bar *progressbar.ProgressBar // nil if there is nothing to show
}

// newProgress begins to show work of total bytes.
func newProgress(w io.Writer, total int64, what string) *progress {
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return &progress{}
	}
	return &progress{bar: progressbar.NewOptions64(total,
		progressbar.OptionSetWriter(f),
		progressbar.OptionSetDescription(what),
		progressbar.OptionShowBytes(true),
		progressbar.OptionThrottle(200*time.Millisecond),
		progressbar.OptionSetPredictTime(true),
		progressbar.OptionFullWidth(),
		progressbar.OptionClearOnFinish(),
	)}
}

// at says how many bytes are done. The bar goes forward only.
func (p *progress) at(n int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.bar != nil && n > p.bar.State().CurrentNum {
		p.bar.Set64(n)
	}
}

// clear takes the bar away, so that something else can be written there.
func (p *progress) clear() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.bar != nil {
		p.bar.Clear()
	}
}

// done takes the bar away for good.
func (p *progress) done() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.bar != nil {
		p.bar.Finish()
		p.bar = nil
	}
}
