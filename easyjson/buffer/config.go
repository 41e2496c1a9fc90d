package buffer

import "sync/atomic"

// PoolConfig says how large the arrays of buffers are, and which of them are
// pooled; see [Init].
type PoolConfig struct {
	StartSize  int // bytes of the first array of a buffer, at least
	PooledSize int // arrays of fewer bytes are left to the garbage collector
	MaxSize    int // bytes up to which a buffer is one array; the size of further ones
}

// The defaults. Up to MaxSize a buffer is contiguous, so that most documents
// are written out by one call; longer ones are not copied as they grow.
const (
	defaultStartSize  = 512
	defaultPooledSize = 64
	defaultMaxSize    = 64 << 10
	defaultChunkSize  = 1 << 20
)

// A strategy is a PoolConfig, and the size in bytes that arrays may have if
// recent documents were that long.
type strategy struct {
	PoolConfig
	chunkSize int
}

var config atomic.Pointer[strategy]

func init() {
	config.Store(&strategy{PoolConfig{defaultStartSize, defaultPooledSize, defaultMaxSize}, defaultChunkSize})
}

// Init sets another strategy, for all buffers that grow from then on. Sizes
// too small to work are raised.
func Init(cfg PoolConfig) {
	cfg.StartSize = max(cfg.StartSize, 64)
	cfg.MaxSize = max(cfg.MaxSize, cfg.StartSize)
	config.Store(&strategy{cfg, cfg.MaxSize})
}
