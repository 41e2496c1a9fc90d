# The tests where int has 32 bits; an amd64 kernel runs them as they are.
export GOARCH=386 CGO_ENABLED=0
probe=$EDDY_CI_TMP/probe.go
printf 'package main\n\nimport "runtime"\n\nfunc main() { println(runtime.GOARCH) }\n' >"$probe"
[[ $(GOWORK=off go run "$probe" 2>&1) == 386 ]] || { echo "this machine runs no 386 programs"; exit 1; }
for dir in "${LIBRARIES[@]}"; do
	keep within "$dir" go test ./...
done
settle
