module client

go 1.25.0

require github.com/a2aproject/a2a-go/v2 v2.4.0

require (
	github.com/google/uuid v1.6.0 // indirect
	golang.org/x/mod v0.35.0 // indirect
)
