# The tests on a big-endian machine, emulated.
install qemu-user-static
export GOARCH=s390x CGO_ENABLED=0
probe=$EDDY_CI_TMP/probe.go
printf 'package main\n\nimport "runtime"\n\nfunc main() { println(runtime.GOARCH) }\n' >"$probe"
[[ $(GOWORK=off go run -exec qemu-s390x-static "$probe" 2>&1) == s390x ]] || { echo "qemu runs no s390x programs"; exit 1; }
for dir in "${LIBRARIES[@]}"; do
	keep within "$dir" go test -short -vet=off -timeout 20m -exec qemu-s390x-static ./...
done
settle
