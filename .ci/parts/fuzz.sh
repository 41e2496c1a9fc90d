# A short real fuzz of every target, as it is and with pointer arithmetic checked. (Seeds run with the tests.)
# FUZZTIME=30s .ci/run fuzz looks longer.
fuzztime=${FUZZTIME:-3s}
work=$EDDY_CI_TMP/fuzz
mkdir -p "$work"
targets=0 bad=0

# fuzz BINARY PACKAGE-FOLDER TARGET
fuzz() {
	local log=$work/log try
	for try in 1 2; do
		if (cd "$2" && timeout 5m "$1" -test.run '^$' -test.fuzz "^$3\$" -test.fuzztime "$fuzztime" \
			-test.fuzzminimizetime 5s -test.fuzzcachedir "$work/cache/$(basename "$1")" -test.parallel 2) >"$log" 2>&1; then
			echo "  $3: $(grep -o 'execs: [0-9]*' "$log" | tail -n 1)"
			return
		fi
		# The fuzzer now and then takes the end of its own time for a failure of the target.
		if grep -q 'Failing input written' "$log" || ! grep -q 'context deadline exceeded' "$log"; then break; fi
	done
	cat "$log"
	# A worker that died says why only outside the fuzzer, where the failing input is a seed.
	(cd "$2" && timeout 2m "$1" -test.run "^$3\$") 2>&1 | head -n 60 || true
	sed -n 's/^ *Failing input written to //p' "$log" | while read -r f; do cat "$2/$f"; done
	bad=$((bad + 1))
}

for mode in '' -d=checkptr; do
	for dir in "${MODULES[@]}"; do
		packages=$(alone "$dir" go list -f '{{if or .TestGoFiles .XTestGoFiles}}{{.Dir}}{{end}}' ./...)
		for package in $packages; do
			if ! grep -q '^func Fuzz' "$package"/*_test.go; then continue; fi
			echo "+ ${package#"$PWD"/} ${mode:-as it is}"
			binary=$work/$((++targets)).test
			alone "$dir" go test -c -fuzz . -o "$binary" ${mode:+"-gcflags=all=$mode"} "$package"
			names=$("$binary" -test.list '^Fuzz')
			for name in $names; do fuzz "$binary" "$package" "$name"; done
		done
	done
done
if ((targets == 0)); then
	echo "no fuzz target found"
	exit 1
fi
((bad == 0))
