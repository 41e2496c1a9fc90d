module github.com/eddy-go/eddy/sftp

go 1.26.0

require (
	github.com/eddy-go/eddy v0.1.0
	github.com/kr/fs v0.1.0
	golang.org/x/crypto v0.59.0
)

require golang.org/x/sys v0.50.0 // indirect

replace github.com/eddy-go/eddy => ../
