# kiota's serialization with the Microsoft Graph SDK: its models, and then its client. Compiling them takes minutes and
# some 5 GB of memory, hence one package at a time, and a part of its own.
for tag in msgraph msgraphclient; do
	keep within bench go vet -p 1 -tags "$tag" ./interop/kiota
	keep within bench go test -p 1 -timeout 15m -tags "$tag" ./interop/kiota
done
settle
