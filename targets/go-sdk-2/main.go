// A small agent on a2a-go v2 that does what words of the prompt ask for, over JSON-RPC, HTTP+JSON and gRPC.
package main

import (
	"context"
	"flag"
	"fmt"
	"iter"
	"log"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/a2aproject/a2a-go/v2/a2a"
	"github.com/a2aproject/a2a-go/v2/a2acompat/a2av0"
	grpcv0 "github.com/a2aproject/a2a-go/v2/a2agrpc/v0"
	grpcv1 "github.com/a2aproject/a2a-go/v2/a2agrpc/v1"
	"github.com/a2aproject/a2a-go/v2/a2asrv"
	"github.com/a2aproject/a2a-go/v2/a2asrv/push"
	"github.com/a2aproject/a2a-go/v2/a2asrv/taskstore"
	"google.golang.org/grpc"
)

type executor struct{ running sync.Map }

func text(m *a2a.Message) string {
	var b strings.Builder
	for _, p := range m.Parts {
		b.WriteString(p.Text() + " ")
	}
	return strings.ToLower(b.String())
}

func (e *executor) Execute(ctx context.Context, ec *a2asrv.ExecutorContext) iter.Seq2[a2a.Event, error] {
	return func(yield func(a2a.Event, error) bool) {
		said := text(ec.Message)
		has := func(w string) bool { return strings.Contains(said, w) }
		say := func(s string) *a2a.Message {
			return a2a.NewMessageForTask(a2a.MessageRoleAgent, ec, a2a.NewTextPart(s))
		}
		if has("message only") {
			yield(a2a.NewMessage(a2a.MessageRoleAgent, a2a.NewTextPart("Just a message.")), nil)
			return
		}
		if ec.StoredTask == nil && !yield(a2a.NewSubmittedTask(ec, ec.Message), nil) {
			return
		}
		ctx, stop := context.WithCancel(ctx)
		defer stop()
		e.running.Store(ec.TaskID, stop)
		defer e.running.Delete(ec.TaskID)
		status := func(s a2a.TaskState, m *a2a.Message) bool { return yield(a2a.NewStatusUpdateEvent(ec, s, m), nil) }
		wait := func(d time.Duration) bool {
			select {
			case <-time.After(d):
				return true
			case <-ctx.Done():
				return false
			}
		}
		if !status(a2a.TaskStateWorking, nil) {
			return
		}
		parts := []*a2a.Part{a2a.NewTextPart("You said: " + said)}
		switch {
		case ec.StoredTask == nil && has("ask me"):
			status(a2a.TaskStateInputRequired, say("Which colour?"))
			return
		case ec.StoredTask == nil && has("sign in"):
			status(a2a.TaskStateAuthRequired, say("Please sign in."))
			return
		case has("fail"):
			status(a2a.TaskStateFailed, say("It failed."))
			return
		case has("reject"):
			status(a2a.TaskStateRejected, say("Not for me."))
			return
		case has("work long"):
			if !wait(20 * time.Second) {
				return
			}
		case has("slow"):
			for i := 1; i <= 6; i++ {
				if !wait(500*time.Millisecond) || !status(a2a.TaskStateWorking, say(fmt.Sprint("Step ", i))) {
					return
				}
			}
		case has("piece"):
			first := a2a.NewArtifactEvent(ec, a2a.NewTextPart("one "))
			if !yield(first, nil) {
				return
			}
			for i, w := range []string{"two ", "three "} {
				next := a2a.NewArtifactUpdateEvent(ec, first.Artifact.ID, a2a.NewTextPart(w))
				next.LastChunk = i == 1
				if !wait(50*time.Millisecond) || !yield(next, nil) {
					return
				}
			}
			status(a2a.TaskStateCompleted, nil)
			return
		case has("link"):
			parts = []*a2a.Part{a2a.NewFileURLPart("https://example.com/dot.png", "image/png")}
		case has("file"):
			p := a2a.NewRawPart([]byte("hello"))
			p.Filename, p.MediaType = "hello.txt", "text/plain"
			parts = []*a2a.Part{p}
		case has("data"):
			parts = []*a2a.Part{a2a.NewDataPart(map[string]any{"answer": 42, "list": []any{1, "two", nil}})}
		}
		if yield(a2a.NewArtifactEvent(ec, parts...), nil) {
			status(a2a.TaskStateCompleted, nil)
		}
	}
}

func (e *executor) Cancel(ctx context.Context, ec *a2asrv.ExecutorContext) iter.Seq2[a2a.Event, error] {
	return func(yield func(a2a.Event, error) bool) {
		if stop, ok := e.running.Load(ec.TaskID); ok {
			defer stop.(context.CancelFunc)()
		}
		yield(a2a.NewStatusUpdateEvent(ec, a2a.TaskStateCanceled, nil), nil)
	}
}

func main() {
	port := flag.Int("port", 9100, "port of JSON-RPC and HTTP+JSON")
	rpc := flag.Int("grpc", 9101, "port of gRPC")
	legacy := flag.Bool("v03", false, "speak 0.3 instead, through the compatibility layer")
	plain := flag.Bool("plain", false, "the library's defaults: guarded webhooks, no authenticator")
	flag.Parse()
	base, addr := fmt.Sprintf("http://127.0.0.1:%d", *port), fmt.Sprintf("127.0.0.1:%d", *rpc)
	version := a2a.Version
	if *legacy {
		version = "0.3"
	}
	iface := func(url string, b a2a.TransportProtocol) *a2a.AgentInterface {
		return &a2a.AgentInterface{URL: url, ProtocolBinding: b, ProtocolVersion: version}
	}
	card := &a2a.AgentCard{
		Name: "Word agent", Description: "Does what words ask for.", Version: "1.0.0",
		SupportedInterfaces: []*a2a.AgentInterface{
			iface(base+"/rpc", a2a.TransportProtocolJSONRPC), iface(base+"/rest", a2a.TransportProtocolHTTPJSON), iface(addr, a2a.TransportProtocolGRPC),
		},
		Capabilities:      a2a.AgentCapabilities{Streaming: true, PushNotifications: true, ExtendedAgentCard: true},
		DefaultInputModes: []string{"text/plain"}, DefaultOutputModes: []string{"text/plain"},
		Skills: []a2a.AgentSkill{{ID: "words", Name: "Words", Description: "Does what words ask for.", Tags: []string{"words"}}},
	}
	sender := push.HTTPSenderConfig{AllowPrivateNetworks: !*plain, Timeout: 5 * time.Second}
	options := []a2asrv.RequestHandlerOption{
		a2asrv.WithPushNotifications(push.NewInMemoryStore(), push.NewHTTPPushSender(&sender)),
		a2asrv.WithExtendedAgentCard(card), a2asrv.WithCapabilityChecks(&card.Capabilities),
	}
	if !*plain {
		anyone := func(context.Context) (string, error) { return "anyone", nil }
		options = append(options, a2asrv.WithTaskStore(taskstore.NewInMemory(&taskstore.InMemoryStoreConfig{Authenticator: anyone})))
	}
	handler := a2asrv.NewHandler(&executor{}, options...)
	mux, server := http.NewServeMux(), grpc.NewServer()
	if *legacy {
		mux.Handle("/rpc", a2av0.NewJSONRPCHandler(handler))
		mux.Handle("/rest/", http.StripPrefix("/rest", a2av0.NewRESTHandler(handler)))
		mux.Handle(a2asrv.WellKnownAgentCardPath, a2asrv.NewAgentCardHandler(a2av0.NewStaticAgentCardProducer(card)))
		grpcv0.NewHandler(handler).RegisterWith(server)
	} else {
		mux.Handle("/rpc", a2asrv.NewJSONRPCHandler(handler))
		mux.Handle("/rest/", http.StripPrefix("/rest", a2asrv.NewRESTHandler(handler)))
		mux.Handle(a2asrv.WellKnownAgentCardPath, a2asrv.NewStaticAgentCardHandler(card))
		grpcv1.NewHandler(handler).RegisterWith(server)
	}
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		log.Fatal(err)
	}
	go func() { log.Fatal(server.Serve(listener)) }()
	log.Fatal(http.ListenAndServe(fmt.Sprintf("127.0.0.1:%d", *port), mux))
}
