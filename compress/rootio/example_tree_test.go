package rootio_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log"
	"os"

	"github.com/eddy-go/eddy/compress/rootio"
)

// openTree opens a file and one of its trees.
func openTree(file, path string) *rootio.Tree {
	data, err := os.ReadFile(file)
	if err != nil {
		log.Fatal(err)
	}
	f, err := rootio.Open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		log.Fatal(err)
	}
	tree, err := f.Tree(path)
	if err != nil {
		log.Fatal(err)
	}
	return tree
}

func column[T rootio.Value](tree *rootio.Tree, name string) *rootio.Column[T] {
	b, err := tree.Branch(name)
	if err != nil {
		log.Fatal(err)
	}
	c, err := rootio.NewColumn[T](b)
	if err != nil {
		log.Fatal(err)
	}
	return c
}

func ExampleTree() {
	tree := openTree("testdata/jagged-zlib1.root", "clusters")
	fmt.Println(tree.Name(), tree.Entries())
	for _, b := range tree.Branches() {
		if err := b.Err(); err != nil {
			fmt.Println(b.Name(), "cannot be read:", err)
			continue
		}
		fmt.Println(b.Name(), b.Type(), b.Kind(), b.Jagged())
	}
	// Output:
	// clusters 5000
	// n Int_t int32 false
	// cells Float_t float32 true
	// label Char_t* string false
}

func ExampleBranch() {
	tree := openTree("testdata/jagged-zlib1.root", "clusters")
	b, err := tree.Branch("cells")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(b.Title(), "in", b.Baskets(), "baskets, counted by", b.Counter().Name())
	_, err = tree.Branch("Cells")
	fmt.Println(errors.Is(err, rootio.ErrNoBranch))
	// Output:
	// cells[n]/F in 15 baskets, counted by n
	// true
}

func ExampleKind() {
	tree := openTree("testdata/scalars-zlib1.root", "drift")
	b, err := tree.Branch("stamp")
	if err != nil {
		log.Fatal(err)
	}
	// The kind says of what type a column can be.
	switch b.Kind() {
	case rootio.Int64:
		fmt.Println(b.Kind(), b.Kind().Size(), column[int64](tree, "stamp").Branch().Name())
	case rootio.Float64:
		fmt.Println("not here")
	}
	_, err = rootio.NewColumn[uint64](b)
	fmt.Println(errors.Is(err, rootio.ErrType))
	// Output:
	// int64 8 stamp
	// true
}

func ExampleColumn() {
	tree := openTree("testdata/scalars-zlib1.root", "drift")
	tick := column[int32](tree, "tick")
	sum := 0
	for batch, err := range tick.Batches(context.Background(), 0, -1) {
		if err != nil {
			log.Fatal(err)
		}
		for _, v := range batch.Values {
			sum += int(v)
		}
		// The next step overwrites batch.Values: copy what is to be kept.
	}
	fmt.Println(sum)
	// Output: 676161339
}

func ExampleColumn_Read() {
	tree := openTree("testdata/scalars-zlib1.root", "drift")
	level := column[float64](tree, "level")
	dst := make([]float64, 3)
	n, err := level.Read(context.Background(), dst, tree.Entries()-3)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d %.2f\n", n, dst)
	// Output: 3 [-11.74 -10.10 -11.21]
}

func ExampleColumn_Append() {
	tree := openTree("testdata/jagged-zlib1.root", "clusters")
	cells := column[float32](tree, "cells")
	values, ends, err := cells.Append(context.Background(), nil, nil, 0, 3)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(values), ends)
	// Output: 24 [6 12 24]
}

func ExampleBatch() {
	tree := openTree("testdata/jagged-zlib1.root", "clusters")
	cells := column[float32](tree, "cells")
	longest, at := 0, int64(0)
	for batch, err := range cells.Batches(context.Background(), 1000, 2000) {
		if err != nil {
			log.Fatal(err)
		}
		for i := range batch.Len() {
			if n := len(batch.Entry(i)); n > longest {
				longest, at = n, batch.First+int64(i)
			}
		}
	}
	fmt.Println(longest, at)
	// Output: 12 1014
}

func ExampleSteps() {
	tree := openTree("testdata/jagged-zlib1.root", "clusters")
	cells, label := column[float32](tree, "cells"), column[string](tree, "label")
	columns := []rootio.AnyColumn{cells, label}
	sums := map[string]float32{}
	for step, err := range rootio.Steps(context.Background(), 0, 100, columns, rootio.Workers(2), rootio.ReadAhead(1<<20)) {
		if err != nil {
			log.Fatal(err)
		}
		values, names := cells.Batch(step), label.Batch(step)
		for i := range step.Len() {
			for _, v := range values.Entry(i) {
				sums[names.Values[i]] += v
			}
		}
	}
	fmt.Printf("%.4f\n", sums["veto_barrel"])
	// Output: 40.0625
}
