//go:build !(amd64 || arm64) || purego

package inflate

const haveUnsafe = false

func (d *Decoder) loopUnsafe(_ []byte, dp int, _ []byte, sp int) (int, int, result) {
	return dp, sp, margin
}
