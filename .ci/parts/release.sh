# What a release would publish, built by a consumer that has nothing else.
say go run ./internal/release/check
