module github.com/eddy-go/eddy/bench

go 1.26.0

require (
	github.com/bytedance/gopkg v0.1.4
	github.com/bytedance/sonic v1.15.5
	github.com/eddy-go/eddy v0.1.0
	github.com/gobwas/pool v0.2.1
	github.com/goccy/go-json v0.12.0
	github.com/json-iterator/go v1.1.12
	github.com/libp2p/go-buffer-pool v0.1.0
	github.com/mailru/easyjson v0.9.2
	github.com/segmentio/encoding v0.5.4
	github.com/valyala/bytebufferpool v1.0.0
	google.golang.org/grpc v1.85.0
)

require (
	github.com/Azure/azure-sdk-for-go/sdk/azcore v1.19.1 // indirect
	github.com/Azure/azure-sdk-for-go/sdk/internal v1.11.2 // indirect
	github.com/cespare/xxhash/v2 v2.3.0 // indirect
	github.com/go-logr/logr v1.4.4 // indirect
	github.com/go-logr/stdr v1.2.2 // indirect
	github.com/kr/fs v0.1.0 // indirect
	github.com/microsoft/kiota-authentication-azure-go v1.3.1 // indirect
	github.com/microsoft/kiota-serialization-form-go v1.1.2 // indirect
	github.com/microsoft/kiota-serialization-multipart-go v1.1.2 // indirect
	github.com/microsoft/kiota-serialization-text-go v1.1.3 // indirect
	github.com/microsoftgraph/msgraph-sdk-go-core v1.4.0 // indirect
	github.com/std-uritemplate/std-uritemplate/go/v2 v2.0.3 // indirect
	go.opentelemetry.io/auto/sdk v1.2.1 // indirect
	go.opentelemetry.io/otel v1.45.0 // indirect
	go.opentelemetry.io/otel/metric v1.45.0 // indirect
	go.opentelemetry.io/otel/trace v1.45.0 // indirect
	golang.org/x/net v0.62.0 // indirect
	golang.org/x/text v0.44.0 // indirect
)

require (
	github.com/bytedance/sonic/loader v0.5.3 // indirect
	github.com/cloudwego/base64x v0.1.6 // indirect
	github.com/eddy-go/eddy/compress v0.1.0
	github.com/eddy-go/eddy/kiota v0.1.0
	github.com/eddy-go/eddy/sftp v0.1.0
	github.com/google/uuid v1.6.0
	github.com/josharian/intern v1.0.0 // indirect
	github.com/klauspost/compress v1.20.4
	github.com/klauspost/cpuid/v2 v2.2.9 // indirect
	github.com/microsoft/kiota-abstractions-go v1.9.4
	github.com/microsoft/kiota-http-go v1.5.4
	github.com/microsoft/kiota-serialization-json-go v1.1.2
	github.com/microsoftgraph/msgraph-sdk-go v1.89.0
	github.com/modern-go/concurrent v0.0.0-20180228061459-e0a39a4cb421 // indirect
	github.com/modern-go/reflect2 v1.0.2 // indirect
	github.com/pierrec/lz4/v4 v4.1.33
	github.com/pkg/sftp v1.13.12
	github.com/segmentio/asm v1.1.3 // indirect
	github.com/twitchyliquid64/golang-asm v0.15.1 // indirect
	github.com/ulikunitz/xz v0.5.17
	golang.org/x/arch v0.0.0-20210923205945-b76863e36670 // indirect
	golang.org/x/crypto v0.59.0
	golang.org/x/sys v0.50.0 // indirect
)

replace github.com/eddy-go/eddy => ../

replace github.com/eddy-go/eddy/kiota => ../kiota

replace github.com/eddy-go/eddy/compress => ../compress

replace github.com/eddy-go/eddy/sftp => ../sftp
