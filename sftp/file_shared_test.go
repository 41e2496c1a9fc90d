package sftp

import (
	"bytes"
	"sync"
	"testing"
	"time"
)

// Downloads of one File share the bytes that may be under way in its channel: none waits for ever for what another has taken.
func TestSeveralDownloadsOfOneFile(t *testing.T) {
	bubble(t, func(t *testing.T) {
		whole := content(20 << 20)
		srv := stripedServer(whole)
		x := striped(t, srv, all)
		f, err := x.Open("f")
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		time.Sleep(time.Second)
		var wg sync.WaitGroup
		for i := range 6 {
			wg.Go(func() {
				if i == 0 {
					var b bytes.Buffer
					n, err := f.WriteTo(&b)
					if err != nil || n != int64(len(whole)) || !bytes.Equal(b.Bytes(), whole) {
						t.Errorf("%d bytes, %v", n, err)
					}
					return
				}
				b := make([]byte, 8<<20)
				n, err := f.ReadAt(b, int64(i)<<20)
				if err != nil || !bytes.Equal(b, whole[i<<20:][:n]) {
					t.Errorf("%d bytes, %v", n, err)
				}
			})
		}
		wg.Wait()
	})
}
