// Eddyroot lists, verifies and converts CERN ROOT files:
//
//	eddyroot ls -b events.root              keys, and the branches of trees
//	eddyroot verify *.root                  decompress and check every record
//	eddyroot sum -c pt,eta events.root      count, sum, least and greatest of columns
//	eddyroot csv -o events.csv events.root  columns as text
//	eddyroot arrow -o e.arrow events.root   columns as Arrow IPC
//
// The exit status is 0 if all went well, 1 if a file could not be read or is
// damaged, 2 if the command line is wrong, and 130 after an interrupt.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
	"time"

	"github.com/alecthomas/kong"
)

const (
	statusFailed      = 1
	statusUsage       = 2
	statusInterrupted = 130
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, func() {
		stop() // a second interrupt ends the process at once
		// A write to a pipe that nobody reads does not end by itself.
		time.AfterFunc(patience, func() { os.Exit(statusInterrupted) })
	})
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// patience is how long a command may take to clean up after an interrupt.
const patience = 2 * time.Second

type cli struct {
	Ls      lsCmd            `cmd:"" help:"List the keys of files, and with -b the branches of their trees."`
	Verify  verifyCmd        `cmd:"" help:"Decompress and check every record of files."`
	Sum     sumCmd           `cmd:"" help:"Count, sum, least and greatest value of each column of a tree."`
	CSV     csvCmd           `cmd:"" name:"csv" help:"Write columns of a tree as CSV."`
	Arrow   arrowCmd         `cmd:"" help:"Write columns of a tree as Arrow IPC."`
	Version kong.VersionFlag `help:"Print the version and end."`
}

// session is what a command works with.
type session struct {
	context.Context
	stdout, stderr io.Writer
}

// errDamaged ends a command that has told what is wrong.
var errDamaged = errors.New("damaged")

// errUsage is what kong cannot see by itself.
type errUsage struct{ error }

// exit carries a status out of kong, which ends the process after -h.
type exit int

// run is the whole command but for signals.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) (status int) {
	defer func() {
		if e := recover(); e != nil {
			code, ok := e.(exit)
			if !ok {
				panic(e)
			}
			status = int(code)
		}
	}()
	var c cli
	parser, err := kong.New(&c,
		kong.Name("eddyroot"),
		kong.Description("Lists, verifies and converts CERN ROOT files."),
		kong.UsageOnError(),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
		kong.Writers(stdout, stderr),
		kong.Exit(func(code int) { panic(exit(code)) }),
		kong.Vars{"version": version()},
	)
	if err != nil {
		panic(err) // the struct above is wrong
	}
	usage := func(err error) int {
		tell(stderr, err.Error()+" (eddyroot --help tells more)")
		return statusUsage
	}
	k, err := parser.Parse(args)
	if err != nil {
		return usage(err)
	}
	err = k.Run(&session{ctx, stdout, stderr})
	var wrong errUsage
	switch {
	case err == nil:
		return 0
	case errors.As(err, &wrong):
		return usage(err)
	case errors.Is(err, errDamaged):
		return statusFailed
	case ctx.Err() != nil:
		fmt.Fprintln(stderr, "eddyroot: interrupted")
		return statusInterrupted
	case errors.Is(err, syscall.EPIPE):
		return statusFailed // who read has seen enough
	}
	tell(stderr, err.Error())
	return statusFailed
}

// tell writes a message.
func tell(stderr io.Writer, text string) error {
	_, err := fmt.Fprintf(stderr, "eddyroot: %s\n", plain(text))
	return err
}

// version is that of the module, as go install has it.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return "eddyroot " + info.Main.Version
	}
	return "eddyroot (devel)"
}
