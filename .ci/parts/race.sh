# The tests under the race detector, which needs a C compiler.
install openssh-server openssh-sftp-server openssh-client # for sftp, which meets them where they are
command -v gcc >/dev/null || install gcc libc6-dev
CGO_ENABLED=1 say go test -race work
