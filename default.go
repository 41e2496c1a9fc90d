package eddy

// defaultPool is behind the functions of the package.
var defaultPool = BytePool{Name: "default"}

// Default returns the pool behind [Get], [Put] and [Grow], for code that takes
// a *BytePool, and for its Stats.
func Default() *BytePool { return &defaultPool }

// Get returns a slice of length n from the default pool; see [BytePool.Get].
func Get(n int) []byte { return defaultPool.Get(n) }

// Put gives b back to the default pool; see [BytePool.Put]. Which BytePool a
// slice came from does not matter: it may be put into any.
func Put(b []byte) { defaultPool.Put(b) }

// PutClear zeroes b and gives it back; see [BytePool.PutClear].
func PutClear(b []byte) { defaultPool.PutClear(b) }

// Grow makes room for n more bytes in b; see [BytePool.Grow].
func Grow(b []byte, n int) []byte { return defaultPool.Grow(b, n) }
