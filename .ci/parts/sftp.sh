# sftp against every server that it is promised to work with: those that the machine has to have are installed first, and
# the output has to show that each was met.
install openssh-server openssh-sftp-server openssh-client
command -v npm >/dev/null || install nodejs npm
ssh2=$EDDY_CI_TMP/ssh2
mkdir -p "$ssh2"
(cd "$ssh2" && say npm install --ignore-scripts --no-audit --no-fund --no-save ssh2@1.17.0)
log=$EDDY_CI_TMP/sftp.log
export EDDY_EVERY_SERVER=1 # a test that lacks a server fails
EDDY_SSH2=$ssh2 say go test -count=1 -v ./sftp ./bench/interop/sftp >"$log" 2>&1 || FAULTS+=("go test")
grep -E '^(---|ok|FAIL|panic)' "$log" || true
if ((${#FAULTS[@]})); then tail -n 100 "$log"; fi
for server in TestTransfersToRealServers/{own,sftp-server,sshd} {TestFilesGoThereAndBack,TestCutAfterEveryPacket}/{pkgsftp,pkgsftp_requests,sftp-server,sshd,ssh2} \
	{TestCutStripedTransfers,TestCutTCP}/{sshd,ssh2}; do
	keep grep -q -E "^ +--- PASS: $server " "$log"
done
if grep "left out:" "$log"; then FAULTS+=("servers were left out"); fi
settle
