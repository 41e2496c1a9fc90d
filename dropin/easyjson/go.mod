module github.com/mailru/easyjson

go 1.26

require github.com/eddy-go/eddy v0.1.0

replace github.com/eddy-go/eddy => ../../
