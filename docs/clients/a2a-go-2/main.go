// A client of A2A 1.0 for `a2a-tck client`, on github.com/a2aproject/a2a-go/v2:
//
//	go mod init client && go get github.com/a2aproject/a2a-go/v2@v2.4.0 && go build -o client .
//	npx a2a-tck@0.1.0 client --command ./client --stdin
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/a2aproject/a2a-go/v2/a2a"
	"github.com/a2aproject/a2a-go/v2/a2aclient"
	"github.com/a2aproject/a2a-go/v2/a2aclient/agentcard"
)

type errand struct {
	Do            string            `json:"do"`
	Text          string            `json:"text"`
	Texts         []string          `json:"texts"`
	TaskID        string            `json:"taskId"`
	HistoryLength *int              `json:"historyLength"`
	Credentials   map[string]string `json:"credentials"`
	Headers       map[string]string `json:"headers"`
	Extensions    []string          `json:"extensions"`
	Trusted       []any             `json:"trusted"`
	Filter        struct {
		ContextID    string     `json:"contextId"`
		State        string     `json:"state"`
		PageSize     int        `json:"pageSize"`
		UpdatedAfter *time.Time `json:"updatedAfter"`
	} `json:"filter"`
}

type unsupported string

func (why unsupported) Error() string { return string(why) }

// known collects what the answers to one errand say.
type known struct {
	task      a2a.TaskID
	context   string
	state     a2a.TaskState
	names     []a2a.ArtifactID
	artifacts map[a2a.ArtifactID]string
	words     string
	states    []a2a.TaskState
}

func textOf(parts []*a2a.Part) string {
	var all strings.Builder
	for _, part := range parts {
		all.WriteString(part.Text())
	}
	return all.String()
}

func (k *known) keep(artifact *a2a.Artifact, append_ bool) {
	if _, isThere := k.artifacts[artifact.ID]; !isThere {
		k.names = append(k.names, artifact.ID)
	} else if append_ {
		k.artifacts[artifact.ID] += textOf(artifact.Parts)
		return
	}
	k.artifacts[artifact.ID] = textOf(artifact.Parts)
}

func (k *known) status(id a2a.TaskID, contextID string, status a2a.TaskStatus) {
	k.task, k.context, k.state, k.words = id, contextID, status.State, ""
	k.states = append(k.states, status.State)
	if status.Message != nil {
		k.words = textOf(status.Message.Parts)
	}
}

func (k *known) take(event any) {
	switch one := event.(type) {
	case *a2a.Message:
		k.words, k.context, k.state = textOf(one.Parts), one.ContextID, a2a.TaskStateCompleted
	case *a2a.Task:
		k.status(one.ID, one.ContextID, one.Status)
		k.names, k.artifacts = nil, map[a2a.ArtifactID]string{}
		for _, artifact := range one.Artifacts {
			k.keep(artifact, false)
		}
	case *a2a.TaskStatusUpdateEvent:
		k.status(one.TaskID, one.ContextID, one.Status)
	case *a2a.TaskArtifactUpdateEvent:
		k.keep(one.Artifact, one.Append)
	}
}

func (k *known) isSettled() bool { return k.state.Terminal() || k.state == a2a.TaskStateInputRequired }

func (k *known) told() map[string]any {
	texts := []string{}
	for _, name := range k.names {
		texts = append(texts, k.artifacts[name])
	}
	if k.words != "" {
		texts = append(texts, k.words)
	}
	told := map[string]any{"text": strings.Join(texts, "\n"), "states": k.states}
	for name, value := range map[string]string{"state": string(k.state), "taskId": string(k.task), "contextId": k.context} {
		if value != "" {
			told[name] = value
		}
	}
	return told
}

// configured adds the headers of the user to every call.
type configured struct {
	a2aclient.PassthroughInterceptor
	headers map[string]string
}

func (c *configured) Before(ctx context.Context, req *a2aclient.Request) (context.Context, any, error) {
	for name, value := range c.headers {
		req.ServiceParams.Append(name, value)
	}
	return ctx, nil, nil
}

func message(text string) *a2a.Message {
	return a2a.NewMessage(a2a.MessageRoleUser, a2a.NewTextPart(text))
}

func say(ctx context.Context, client *a2aclient.Client, k *known, sent *a2a.Message) error {
	reply, err := client.SendMessage(ctx, &a2a.SendMessageRequest{Message: sent})
	if err != nil {
		return err
	}
	k.take(reply)
	return follow(ctx, client, k)
}

func follow(ctx context.Context, client *a2aclient.Client, k *known) error {
	for k.task != "" && !k.isSettled() {
		time.Sleep(300 * time.Millisecond)
		task, err := client.GetTask(ctx, &a2a.GetTaskRequest{ID: k.task})
		if err != nil {
			return err
		}
		k.take(task)
	}
	return nil
}

func run(ctx context.Context, url string, e errand) (map[string]any, error) {
	if e.Trusted != nil {
		return nil, unsupported("signatures of cards")
	}
	if e.Extensions != nil {
		return nil, unsupported("extensions")
	}
	card, err := agentcard.DefaultResolver.Resolve(ctx, url)
	if err != nil {
		return nil, err
	}
	store := a2aclient.NewInMemoryCredentialsStore()
	for name, value := range e.Credentials {
		store.Set("errand", a2a.SecuritySchemeName(name), a2aclient.AuthCredential(value))
	}
	ctx = a2aclient.AttachSessionID(ctx, "errand")
	options := []a2aclient.FactoryOption{
		a2aclient.WithDefaultsDisabled(),
		a2aclient.WithCallInterceptors(&a2aclient.AuthInterceptor{Service: store}, &configured{headers: e.Headers}),
	}
	if os.Getenv("A2A_BINDING") == "HTTP+JSON" {
		options = append(options, a2aclient.WithRESTTransport(nil))
	} else {
		options = append(options, a2aclient.WithJSONRPCTransport(nil))
	}
	client, err := a2aclient.NewFromCard(ctx, card, options...)
	if err != nil {
		return nil, err
	}
	k := &known{artifacts: map[a2a.ArtifactID]string{}}
	id := a2a.TaskID(e.TaskID)
	switch e.Do {
	case "send":
		err = say(ctx, client, k, message(e.Text))
	case "stream":
		for event, err := range client.SendStreamingMessage(ctx, &a2a.SendMessageRequest{Message: message(e.Text)}) {
			if err != nil {
				return nil, err
			}
			k.take(event)
		}
		err = follow(ctx, client, k)
	case "converse":
		for _, text := range e.Texts {
			sent := message(text)
			sent.ContextID = k.context
			if k.state == a2a.TaskStateInputRequired {
				sent.TaskID = k.task
			}
			k.names, k.artifacts, k.words = nil, map[a2a.ArtifactID]string{}, ""
			if err = say(ctx, client, k, sent); err != nil {
				break
			}
		}
	case "get":
		var task *a2a.Task
		if task, err = client.GetTask(ctx, &a2a.GetTaskRequest{ID: id, HistoryLength: e.HistoryLength}); err == nil {
			k.take(task)
		}
	case "cancel":
		var task *a2a.Task
		if task, err = client.CancelTask(ctx, &a2a.CancelTaskRequest{ID: id}); err == nil {
			k.take(task)
		}
	case "list":
		return pages(ctx, client, e)
	case "extended-card":
		if _, err = client.GetExtendedAgentCard(ctx, &a2a.GetExtendedAgentCardRequest{}); err == nil {
			err = say(ctx, client, k, message(e.Text))
		}
	default:
		err = unsupported("the errand " + e.Do)
	}
	if err != nil {
		return nil, err
	}
	return k.told(), nil
}

func pages(ctx context.Context, client *a2aclient.Client, e errand) (map[string]any, error) {
	ids := []a2a.TaskID{}
	query := &a2a.ListTasksRequest{
		ContextID:            e.Filter.ContextID,
		Status:               a2a.TaskState(e.Filter.State),
		PageSize:             e.Filter.PageSize,
		StatusTimestampAfter: e.Filter.UpdatedAfter,
	}
	for {
		page, err := client.ListTasks(ctx, query)
		if err != nil {
			return nil, err
		}
		for _, task := range page.Tasks {
			ids = append(ids, task.ID)
		}
		if page.NextPageToken == "" {
			return map[string]any{"ids": ids}, nil
		}
		query.PageToken = page.NextPageToken
	}
}

// named holds the errors of A2A, as the library has them.
var named = map[string]error{
	"TaskNotFound":                 a2a.ErrTaskNotFound,
	"TaskNotCancelable":            a2a.ErrTaskNotCancelable,
	"PushNotificationNotSupported": a2a.ErrPushNotificationNotSupported,
	"UnsupportedOperation":         a2a.ErrUnsupportedOperation,
	"ContentTypeNotSupported":      a2a.ErrUnsupportedContentType,
	"InvalidAgentResponse":         a2a.ErrInvalidAgentResponse,
	"ExtendedCardNotConfigured":    a2a.ErrExtendedCardNotConfigured,
	"ExtensionSupportRequired":     a2a.ErrExtensionSupportRequired,
	"VersionNotSupported":          a2a.ErrVersionNotSupported,
}

func nameOf(err error) string {
	for name, one := range named {
		if errors.Is(err, one) {
			return name
		}
	}
	return fmt.Sprintf("%T", err)
}

// done does an errand, and returns what is told of it and the exit status.
func done(url string, e errand) (map[string]any, int) {
	ctx, stop := context.WithTimeout(context.Background(), 12*time.Second)
	defer stop()
	told, err := run(ctx, url, e)
	if why, isUnsupported := err.(unsupported); isUnsupported {
		return map[string]any{"unsupported": string(why)}, 0
	}
	if err != nil {
		return map[string]any{"error": map[string]any{"name": nameOf(err), "message": err.Error()}}, 1
	}
	return told, 0
}

// line is one errand on the standard input.
type line struct {
	ID     string `json:"id"`
	URL    string `json:"url"`
	Errand errand `json:"errand"`
}

func main() {
	out := json.NewEncoder(os.Stdout)
	url := os.Args[len(os.Args)-1]
	if url == "-" {
		for in := json.NewDecoder(os.Stdin); ; {
			var one line
			if in.Decode(&one) != nil {
				return
			}
			told, status := done(one.URL, one.Errand)
			told["id"], told["status"] = one.ID, status
			out.Encode(told)
		}
	}
	var e errand
	if err := json.Unmarshal([]byte(os.Getenv("A2A_CONTEXT")), &e); err != nil {
		e = errand{Do: "send", Text: "Hello"}
	}
	told, status := done(url, e)
	out.Encode(told)
	os.Exit(status)
}
