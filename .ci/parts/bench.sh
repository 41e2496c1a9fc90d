# The README's main command; its exit status tells whether each implementation of the project passed its check.
say timeout 15m go run ./bench
