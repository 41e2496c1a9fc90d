# The tests with the checks of debug builds.
install openssh-server openssh-sftp-server openssh-client # for sftp, which meets them where they are
keep say go test -tags eddydebug work
for dir in "${OUTSIDE[@]}"; do
	keep within "$dir" go test -tags eddydebug ./...
done
settle
