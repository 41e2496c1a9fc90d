package eddy

import "testing"

func TestClassIsTheSmallestThatFits(t *testing.T) {
	check := func(n int) {
		t.Helper()
		i := classOf(n)
		if n > int(classSize[i]) {
			i++
		}
		if n > int(classSize[i]) {
			t.Fatalf("%d bytes: class of %d is too small", n, classSize[i])
		}
		if i > 0 && n <= int(classSize[i-1]) && classSize[i-1] != 2560 {
			t.Fatalf("%d bytes: class of %d, but %d would do", n, classSize[i], classSize[i-1])
		}
	}
	for n := 0; n <= 1<<17; n++ {
		check(n)
	}
	for i, size := range classSize {
		if i > 0 && classSize[i-1] >= size {
			t.Fatalf("classes %d and %d: %d, %d", i-1, i, classSize[i-1], size)
		}
		for n := int(size) - 2; n <= int(size)+2 && n <= MaxClassSize; n++ {
			check(n)
		}
		if c := classOf(int(size)); c != uint(i) {
			t.Errorf("class of %d bytes: %d, not %d", size, c, i)
		}
	}
	if classSize[numClasses-1] != MaxClassSize {
		t.Errorf("largest class %d", classSize[numClasses-1])
	}
	if classSize[reserveClass] != ReserveMinSize {
		t.Errorf("the first class of a reserve is %d", classSize[reserveClass])
	}
}

// runtimeSize returns what the runtime sets apart for an array of n bytes.
func runtimeSize(n int) int {
	if n > 1<<20 {
		return (n + 8191) &^ 8191 // whole pages, as for everything over 32 KiB
	}
	return cap(append([]byte(nil), make([]byte, n)...))
}

func TestWasteIsBounded(t *testing.T) {
	// The mean of size/request - 1 over the requests of each doubling, with
	// what the runtime really sets apart for a class.
	var taken [numClasses]int
	for i, size := range classSize {
		taken[i] = runtimeSize(int(size))
	}
	for low := 64; low < 64<<20; low *= 2 {
		var waste float64
		count := 0
		step := max(1, low/4096)
		for n := low + 1; n <= 2*low; n += step {
			i := classOf(n)
			if n > int(classSize[i]) {
				i++
			}
			waste += float64(taken[i])/float64(n) - 1
			count++
		}
		if mean := waste / float64(count); mean > 0.125 {
			t.Errorf("requests of %d to %d bytes: %.1f %% more than asked for on average", low+1, 2*low, mean*100)
		}
	}
}
