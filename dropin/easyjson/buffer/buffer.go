// Package buffer has the names of github.com/eddy-go/eddy/easyjson/buffer.
package buffer

import "github.com/eddy-go/eddy/easyjson/buffer"

type (
	Buffer     = buffer.Buffer
	PoolConfig = buffer.PoolConfig
)

func Init(cfg PoolConfig) { buffer.Init(cfg) }
