package sftp_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log"
	"os"
	"strings"
	"time"

	"github.com/eddy-go/eddy/sftp"
	"github.com/eddy-go/eddy/sftp/internal/fakeserver"
)

// connect returns a client of a server in this process. A real program has an *ssh.Client and calls sftp.NewClient.
func connect() *sftp.Client {
	toServer, fromClient := io.Pipe()
	toClient, fromServer := io.Pipe()
	go fakeserver.New([]byte("hello, world\n")).Serve(toServer, fromServer)
	client, err := sftp.NewClientPipe(toClient, fromClient)
	if err != nil {
		log.Fatal(err)
	}
	return client
}

func ExampleClient() {
	client := connect()
	defer client.Close()

	f, err := client.Create("greeting")
	if err != nil {
		log.Fatal(err)
	}
	if _, err := io.Copy(f, strings.NewReader("good morning\n")); err != nil { // uses f.ReadFrom
		log.Fatal(err)
	}
	// Close of a file that was written tells whether all of it has arrived.
	if err := f.Close(); err != nil {
		log.Fatal(err)
	}
	fi, err := client.Stat("greeting")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(fi.Name(), fi.Size())

	_, err = client.Open("no such file")
	fmt.Println(errors.Is(err, os.ErrNotExist))
	// Output:
	// greeting 13
	// true
}

func ExampleFile_WriteToContext() {
	client := connect()
	defer client.Close()
	f, err := client.Open("f")
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()

	// A server that stops answering costs a minute, not for ever.
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	n, err := f.WriteToContext(ctx, os.Stdout)
	fmt.Println(n, err)
	// Output:
	// hello, world
	// 13 <nil>
}

func ExampleClient_FS() {
	client := connect()
	defer client.Close()
	b, err := fs.ReadFile(client.FS("."), "f")
	fmt.Printf("%q %v\n", b, err)
	// Output: "hello, world\n" <nil>
}

func ExampleStatusError() {
	client := connect()
	defer client.Close()
	client.Mkdir("/d")
	err := client.Mkdir("/d")
	if st, ok := err.(*sftp.StatusError); ok {
		fmt.Println(st.Code, errors.Is(err, sftp.ErrSSHFxFailure))
	}
	// Output: 4 true
}

func ExampleFile() {
	client := connect()
	defer client.Close()
	f, err := client.Open("f")
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	b := make([]byte, 5)
	n, err := f.ReadAt(b, 7)
	fmt.Printf("%s %d %v\n", b, n, err)
	// Output: world 5 <nil>
}

func ExampleClientOption() {
	toServer, fromClient := io.Pipe()
	toClient, fromServer := io.Pipe()
	go fakeserver.New(nil).Serve(toServer, fromServer)
	// For a small server: few requests at a time, and little memory here.
	client, err := sftp.NewClientPipe(toClient, fromClient, sftp.MaxRequests(16), sftp.MaxBufferBytes(1<<20))
	fmt.Println(err)
	client.Close()
	// Output: <nil>
}

func ExampleFileStat() {
	client := connect()
	defer client.Close()
	fi, err := client.Stat("f")
	if err != nil {
		log.Fatal(err)
	}
	st := fi.Sys().(*sftp.FileStat)
	fmt.Println(st.UID, st.GID, st.FileMode())
	// Output: 7 8 -rw-r--r--
}

func ExampleConnError() {
	client := connect()
	client.Close()
	_, err := client.Stat("f")
	var lost *sftp.ConnError
	fmt.Println(errors.As(err, &lost), errors.Is(err, sftp.ErrClientClosed))
	// Output: true true
}

func ExampleProtocolError() {
	// What many servers send when a login script prints something.
	_, err := sftp.NewClientPipe(strings.NewReader("Welcome!\n"), nopWriteCloser{io.Discard})
	var pe *sftp.ProtocolError
	fmt.Println(errors.As(err, &pe))
	fmt.Println(err)
	// Output:
	// true
	// sftp: server sent text before the protocol (does a login script print it?): "Welcome!\n"
}

type nopWriteCloser struct{ io.Writer }

func (nopWriteCloser) Close() error { return nil }

func ExampleLimits() {
	client := connect()
	defer client.Close()
	if _, ok := client.HasExtension("limits@openssh.com"); !ok {
		fmt.Println("the server announces no limits: packets have 32 KiB")
		return
	}
	limits, err := client.Limits(context.Background())
	fmt.Println(limits.MaxWrite, err)
	// Output: the server announces no limits: packets have 32 KiB
}

func ExampleStatVFS() {
	client := connect()
	defer client.Close()
	v, err := client.StatVFS("/")
	if errors.Is(err, errors.ErrUnsupported) {
		fmt.Println("the server has no statvfs@openssh.com")
		return
	}
	fmt.Println(v.FreeSpace())
	// Output: the server has no statvfs@openssh.com
}

func ExampleStatExtended() {
	client := connect()
	defer client.Close()
	fmt.Println(client.SetExtendedData("f", []sftp.StatExtended{{ExtType: "colour@example.com", ExtData: "blue"}}))
	// Output: <nil>
}

func ExampleFileInfoUidGid() {
	client := connect()
	defer client.Close()
	fi, err := client.Stat("f")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(fi.(sftp.FileInfoUidGid).Uid(), len(fi.(sftp.FileInfoExtendedData).Extended()))
	// Output: 7 0
}

func ExampleFileInfoExtendedData() {
	client := connect()
	defer client.Close()
	fi, err := client.Stat("f")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, e := range fi.(sftp.FileInfoExtendedData).Extended() {
		fmt.Println(e.ExtType, e.ExtData)
	}
	fmt.Println(len(fi.(sftp.FileInfoExtendedData).Extended()), "attributes beyond those of the protocol")
	// Output: 0 attributes beyond those of the protocol
}
