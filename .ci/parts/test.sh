# The tests, as the README says.
say go test work
