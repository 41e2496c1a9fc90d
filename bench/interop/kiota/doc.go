// Package kiota holds the tests of kiota/jsonserialization that import what it
// takes the place of: kiota-serialization-json-go, the HTTP adapter of Kiota's
// clients, and the Graph SDK: its models behind the build tag msgraph, its client
// behind msgraphclient.
package kiota
