// A small agent on a2a-go v0.3 that does what words of the prompt ask for, over JSON-RPC and gRPC.
package main

import (
	"context"
	"encoding/base64"
	"flag"
	"fmt"
	"log"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/a2aproject/a2a-go/a2a"
	"github.com/a2aproject/a2a-go/a2agrpc"
	"github.com/a2aproject/a2a-go/a2asrv"
	"github.com/a2aproject/a2a-go/a2asrv/eventqueue"
	"github.com/a2aproject/a2a-go/a2asrv/push"
	"google.golang.org/grpc"
)

type executor struct{ running sync.Map }

func text(m *a2a.Message) string {
	var b strings.Builder
	for _, p := range m.Parts {
		if t, ok := p.(a2a.TextPart); ok {
			b.WriteString(t.Text + " ")
		}
	}
	return strings.ToLower(b.String())
}

func (e *executor) Execute(ctx context.Context, rc *a2asrv.RequestContext, q eventqueue.Queue) error {
	said := text(rc.Message)
	has := func(w string) bool { return strings.Contains(said, w) }
	say := func(s string) *a2a.Message {
		return a2a.NewMessageForTask(a2a.MessageRoleAgent, rc, a2a.TextPart{Text: s})
	}
	if has("message only") {
		return q.Write(ctx, a2a.NewMessage(a2a.MessageRoleAgent, a2a.TextPart{Text: "Just a message."}))
	}
	if rc.StoredTask == nil {
		if err := q.Write(ctx, a2a.NewSubmittedTask(rc, rc.Message)); err != nil {
			return err
		}
	}
	work, stop := context.WithCancel(ctx)
	defer stop()
	e.running.Store(rc.TaskID, stop)
	defer e.running.Delete(rc.TaskID)
	status := func(s a2a.TaskState, m *a2a.Message) error {
		event := a2a.NewStatusUpdateEvent(rc, s, m)
		event.Final = s.Terminal() || s == a2a.TaskStateInputRequired || s == a2a.TaskStateAuthRequired
		return q.Write(ctx, event)
	}
	wait := func(d time.Duration) bool {
		select {
		case <-time.After(d):
			return true
		case <-work.Done():
			return false
		}
	}
	if err := status(a2a.TaskStateWorking, nil); err != nil {
		return err
	}
	parts := []a2a.Part{a2a.TextPart{Text: "You said: " + said}}
	switch {
	case rc.StoredTask == nil && has("ask me"):
		return status(a2a.TaskStateInputRequired, say("Which colour?"))
	case rc.StoredTask == nil && has("sign in"):
		return status(a2a.TaskStateAuthRequired, say("Please sign in."))
	case has("fail"):
		return status(a2a.TaskStateFailed, say("It failed."))
	case has("reject"):
		return status(a2a.TaskStateRejected, say("Not for me."))
	case has("work long"):
		if !wait(20 * time.Second) {
			return nil
		}
	case has("slow"):
		for i := 1; i <= 6; i++ {
			if !wait(500 * time.Millisecond) {
				return nil
			}
			if err := status(a2a.TaskStateWorking, say(fmt.Sprint("Step ", i))); err != nil {
				return err
			}
		}
	case has("piece"):
		first := a2a.NewArtifactEvent(rc, a2a.TextPart{Text: "one "})
		if err := q.Write(ctx, first); err != nil {
			return err
		}
		for i, w := range []string{"two ", "three "} {
			next := a2a.NewArtifactUpdateEvent(rc, first.Artifact.ID, a2a.TextPart{Text: w})
			next.LastChunk = i == 1
			if !wait(50 * time.Millisecond) {
				return nil
			}
			if err := q.Write(ctx, next); err != nil {
				return err
			}
		}
		return status(a2a.TaskStateCompleted, nil)
	case has("link"):
		parts = []a2a.Part{a2a.FilePart{File: a2a.FileURI{URI: "https://example.com/dot.png", FileMeta: a2a.FileMeta{Name: "dot.png", MimeType: "image/png"}}}}
	case has("file"):
		bytes := base64.StdEncoding.EncodeToString([]byte("hello"))
		parts = []a2a.Part{a2a.FilePart{File: a2a.FileBytes{Bytes: bytes, FileMeta: a2a.FileMeta{Name: "hello.txt", MimeType: "text/plain"}}}}
	case has("data"):
		parts = []a2a.Part{a2a.DataPart{Data: map[string]any{"answer": 42, "list": []any{1, "two", nil}}}}
	}
	if err := q.Write(ctx, a2a.NewArtifactEvent(rc, parts...)); err != nil {
		return err
	}
	return status(a2a.TaskStateCompleted, nil)
}

func (e *executor) Cancel(ctx context.Context, rc *a2asrv.RequestContext, q eventqueue.Queue) error {
	if stop, ok := e.running.Load(rc.TaskID); ok {
		defer stop.(context.CancelFunc)()
	}
	event := a2a.NewStatusUpdateEvent(rc, a2a.TaskStateCanceled, nil)
	event.Final = true
	return q.Write(ctx, event)
}

func main() {
	port := flag.Int("port", 9200, "port of JSON-RPC")
	rpc := flag.Int("grpc", 9201, "port of gRPC")
	flag.Parse()
	base, addr := fmt.Sprintf("http://127.0.0.1:%d", *port), fmt.Sprintf("127.0.0.1:%d", *rpc)
	card := &a2a.AgentCard{
		Name: "Word agent", Description: "Does what words ask for.", Version: "1.0.0", ProtocolVersion: "0.3.0",
		URL: base + "/rpc", PreferredTransport: a2a.TransportProtocolJSONRPC,
		AdditionalInterfaces: []a2a.AgentInterface{
			{URL: base + "/rpc", Transport: a2a.TransportProtocolJSONRPC}, {URL: addr, Transport: a2a.TransportProtocolGRPC},
		},
		Capabilities:                      a2a.AgentCapabilities{Streaming: true, PushNotifications: true},
		SupportsAuthenticatedExtendedCard: true,
		DefaultInputModes:                 []string{"text/plain"}, DefaultOutputModes: []string{"text/plain"},
		Skills: []a2a.AgentSkill{{ID: "words", Name: "Words", Description: "Does what words ask for.", Tags: []string{"words"}}},
	}
	handler := a2asrv.NewHandler(&executor{}, a2asrv.WithExtendedAgentCard(card),
		a2asrv.WithPushNotifications(push.NewInMemoryStore(), push.NewHTTPPushSender(&push.HTTPSenderConfig{Timeout: 5 * time.Second})))
	mux, server := http.NewServeMux(), grpc.NewServer()
	mux.Handle("/rpc", a2asrv.NewJSONRPCHandler(handler))
	mux.Handle(a2asrv.WellKnownAgentCardPath, a2asrv.NewStaticAgentCardHandler(card))
	a2agrpc.NewHandler(handler).RegisterWith(server)
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		log.Fatal(err)
	}
	go func() { log.Fatal(server.Serve(listener)) }()
	log.Fatal(http.ListenAndServe(fmt.Sprintf("127.0.0.1:%d", *port), mux))
}
