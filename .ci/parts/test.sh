# The tests, as the README says.
install openssh-server openssh-sftp-server openssh-client # for sftp, which meets them where they are
say go test work
