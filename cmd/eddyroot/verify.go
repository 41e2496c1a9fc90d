package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/eddy-go/eddy/compress"
	"github.com/eddy-go/eddy/compress/rootio"
)

type verifyCmd struct {
	Jobs  int      `short:"j" placeholder:"N" help:"Records to check at the same time, each with up to 40 MB of memory; one for each processor by default."`
	JSON  bool     `help:"Print a line of JSON for each fault and each file."`
	Quiet bool     `short:"q" help:"Print faults only."`
	Files []string `arg:"" name:"file" help:"ROOT files."`
}

const maxJobs = 1024

func (c *verifyCmd) Run(s *session) error {
	if c.Jobs < 0 || c.Jobs > maxJobs {
		return errUsage{fmt.Errorf("-j %d: want 1 to %d", c.Jobs, maxJobs)}
	}
	if c.Jobs == 0 {
		c.Jobs = runtime.GOMAXPROCS(0)
	}
	damaged := false
	for _, path := range c.Files {
		v := &verifier{session: s, cmd: c, progress: &progress{}}
		v.sum = summary{Kind: "file", File: path, Classes: map[string]int{}}
		if err := v.file(path); err != nil {
			return err
		}
		damaged = damaged || v.sum.Faults > 0
	}
	if damaged {
		return errDamaged
	}
	return nil
}

// A fault is what is wrong with a file.
type fault struct {
	Kind   string `json:"kind"` // "fault"
	File   string `json:"file"`
	Offset int64  `json:"offset"` // of the record; -1 if it is none of one
	Class  string `json:"class,omitempty"`
	Name   string `json:"name,omitempty"`
	Error  string `json:"error"`
}

// A summary is what a file holds.
type summary struct {
	Kind      string         `json:"kind"` // "file"
	File      string         `json:"file"`
	Size      int64          `json:"size"`
	Records   int            `json:"records"` // that are whole
	Classes   map[string]int `json:"classes"`
	Bytes     int64          `json:"bytes"`      // of their objects, decompressed
	FileBytes int64          `json:"file_bytes"` // of their payloads in the file
	Gaps      int            `json:"gaps"`
	Faults    int            `json:"faults"`
}

// A verifier checks one file.
type verifier struct {
	*session
	cmd      *verifyCmd
	sum      summary
	progress *progress

	// loose are records that a directory should list, by offset: not all of
	// them where there are more than maxLoose.
	loose map[int64]rootio.Key
}

const maxLoose = 1 << 20

// file checks a file. Its error is none of the file's own.
func (v *verifier) file(path string) error {
	f, close, err := open(path)
	if err != nil {
		return errors.Join(v.fault(err), v.end())
	}
	defer close()
	v.sum.Size = f.Size()
	v.progress = newProgress(v.stderr, f.Size(), path)
	defer v.progress.done()
	v.loose = map[int64]rootio.Key{}
	if f.Damage() != nil {
		if err := v.fault(f.Damage()); err != nil {
			return err
		}
	}
	if err := v.records(f); err != nil {
		return err
	}
	if err := v.keys(f); err != nil {
		return err
	}
	v.progress.done()
	return v.end()
}

// A job is a record on its way through the workers.
type job struct {
	record rootio.Record
	err    error
	done   chan struct{} // closed when err is there
}

// records walks through all records, has them checked and tells of them in
// the order of the file. Not more than a few for each worker are on their way.
func (v *verifier) records(f *rootio.File) error {
	ctx, cancel := context.WithCancel(v)
	defer cancel()
	work := make(chan *job)
	order := make(chan *job, 4*v.cmd.Jobs)
	var all sync.WaitGroup
	defer all.Wait()
	defer cancel() // before the wait
	for range v.cmd.Jobs {
		all.Go(func() {
			for j := range work {
				if ctx.Err() == nil {
					j.err = j.record.Verify()
				}
				close(j.done)
			}
		})
	}
	all.Go(func() {
		defer close(work)
		defer close(order)
		for r, err := range f.Records() {
			j := &job{record: r, err: err, done: make(chan struct{})}
			ready := err != nil || r.Gap > 0
			if ready {
				close(j.done)
			}
			select {
			case order <- j:
			case <-ctx.Done():
				return
			}
			if ready {
				continue
			}
			select {
			case work <- j:
			case <-ctx.Done():
				close(j.done)
				return
			}
		}
	})

	broken := int64(-1) // where the walk could not go on
	for j := range order {
		<-j.done
		if err := ctx.Err(); err != nil {
			return err
		}
		r := j.record
		if broken >= 0 && r.Offset > broken {
			if err := v.fault(&skipped{broken, r.Offset}); err != nil {
				return err
			}
			broken = -1
		}
		next := r.Offset + int64(r.NBytes) + r.Gap
		switch {
		case j.err != nil:
			if err := v.fault(j.err); err != nil {
				return err
			}
			if next == r.Offset { // its key cannot be read
				broken = r.Offset
			}
		case r.Gap > 0:
			v.sum.Gaps++
		default:
			v.whole(r.Key)
		}
		v.progress.at(next)
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	end := f.End()
	if f.Damage() != nil {
		end = f.Size()
	}
	if broken >= 0 && broken < end {
		return v.fault(&skipped{broken, end})
	}
	return nil
}

// skipped is an error of the walk: nothing tells what is there.
type skipped struct{ from, to int64 }

func (e *skipped) Error() string {
	return fmt.Sprintf("root: offsets %d to %d: %d bytes that no readable key leads through were not checked", e.from, e.to, e.to-e.from)
}

// whole counts a record without a fault.
func (v *verifier) whole(k rootio.Key) {
	v.sum.Records++
	v.sum.Bytes += int64(k.ObjLen)
	v.sum.FileBytes += int64(k.PayloadLen())
	v.sum.Classes[k.Class]++
	switch {
	case k.Class == "TBasket", k.Class == "TFile", k.IsDir(): // found in other ways
	case k.Class == "RBlob", k.Class == "": // found by an RNTuple
	case k.Class == "TList" && k.Name == "StreamerInfo":
	case len(v.loose) < maxLoose:
		v.loose[k.Offset] = k
	}
}

// keys goes through the directories. What they list was checked by the walk,
// if that came there.
func (v *verifier) keys(f *rootio.File) error {
	for k, err := range f.Keys() {
		if v.Err() != nil {
			return v.Err()
		}
		switch {
		case err != nil && errors.Is(err, f.Damage()): // told already
			continue
		case err == nil:
			r, ok := v.loose[k.Offset]
			delete(v.loose, k.Offset)
			if ok && r.Class == k.Class && r.Name == k.Name && r.Cycle == k.Cycle && r.NBytes == k.NBytes && r.ObjLen == k.ObjLen {
				if err := v.tree(k); err != nil {
					return err
				}
				continue
			}
			err = k.Verify()
		}
		if err != nil {
			if err := v.fault(err); err != nil {
				return err
			}
		}
	}
	for _, off := range slices.Sorted(maps.Keys(v.loose)) {
		k := v.loose[off]
		err := &rootio.Error{Offset: k.Offset, Class: k.Class, Name: k.Name, Err: fmt.Errorf("whole, but no directory lists it (cycle %d)", k.Cycle)}
		if err := v.fault(err); err != nil {
			return err
		}
	}
	return nil
}

// tree opens a tree: that what it says of its branches and baskets fits
// together.
func (v *verifier) tree(k rootio.Key) error {
	if !isTree(k.Class) {
		return nil
	}
	tree, err := k.Tree()
	if err != nil {
		return v.fault(err)
	}
	for _, b := range tree.Branches() {
		if err := b.Err(); errors.Is(err, compress.ErrCorrupt) || errors.Is(err, io.ErrUnexpectedEOF) {
			if err := v.fault(err); err != nil {
				return err
			}
		}
	}
	return nil
}

// fault tells of what is wrong.
func (v *verifier) fault(err error) error {
	v.sum.Faults++
	v.progress.clear()
	if !v.cmd.JSON {
		text := strings.TrimPrefix(err.Error(), v.sum.File+": ")
		_, err := fmt.Fprintf(v.stdout, "%s\n", plain(v.sum.File+": "+text))
		return err
	}
	return json.NewEncoder(v.stdout).Encode(faultOf(v.sum.File, err))
}

// faultOf is err as a line of JSON.
func faultOf(path string, err error) fault {
	told := fault{Kind: "fault", File: path, Offset: -1, Error: err.Error()}
	var e *rootio.Error
	if errors.As(err, &e) {
		told.Offset, told.Class, told.Name = e.Offset, e.Class, e.Name
	}
	return told
}

// end tells what the file holds.
func (v *verifier) end() error {
	if v.cmd.JSON {
		return json.NewEncoder(v.stdout).Encode(v.sum)
	}
	s := &v.sum
	if s.Faults == 0 && v.cmd.Quiet {
		return nil
	}
	verdict := "ok"
	if s.Faults > 0 {
		verdict = fmt.Sprintf("%d faults", s.Faults)
	}
	var classes []string
	for _, class := range slices.Sorted(maps.Keys(s.Classes)) {
		classes = append(classes, fmt.Sprintf("%d %s", s.Classes[class], class))
	}
	_, err := fmt.Fprintf(v.stdout, "%s: %s; %d records are whole (%s), %d bytes of %d in the file\n",
		plain(s.File), verdict, s.Records, plain(strings.Join(classes, ", ")), s.Bytes, s.FileBytes)
	return err
}
