module github.com/eddy-go/eddy/compress

go 1.26

require (
	github.com/eddy-go/eddy v0.1.0
	github.com/klauspost/compress v1.20.4
	github.com/pierrec/lz4/v4 v4.1.33
)

replace github.com/eddy-go/eddy => ../
