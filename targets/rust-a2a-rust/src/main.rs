//! A small agent on a2a-rust that does what words of the prompt ask for, over JSON-RPC at /rpc and HTTP+JSON at /.
use std::{collections::HashMap, sync::Arc, time::Duration};

use a2a_rust::A2AError;
use a2a_rust::server::{A2AHandler, A2AStream, router};
use a2a_rust::store::{InMemoryTaskStore, TaskStore};
use a2a_rust::types::{
    AgentCard, Artifact, CancelTaskRequest, GetTaskRequest, ListTasksRequest, ListTasksResponse, Message, Part, SendMessageRequest,
    SendMessageResponse, StreamResponse, SubscribeToTaskRequest, Task, TaskArtifactUpdateEvent, TaskState, TaskStatus, TaskStatusUpdateEvent,
};
use futures_util::stream;
use serde_json::{Value, from_value, json};
use tokio::sync::{Mutex, broadcast};

type Result<T> = std::result::Result<T, A2AError>;
type Events = broadcast::Receiver<StreamResponse>;

/// The crate keeps tasks; who works on them, and who listens, is the agent's.
#[derive(Default)]
struct Words {
    store: InMemoryTaskStore,
    live: Mutex<HashMap<String, broadcast::Sender<StreamResponse>>>,
}

#[derive(Clone, Default)]
struct Agent(Arc<Words>);

fn is_over(state: TaskState) -> bool {
    matches!(state, TaskState::Completed | TaskState::Failed | TaskState::Canceled | TaskState::Rejected)
}

fn is_waiting(state: TaskState) -> bool {
    matches!(state, TaskState::InputRequired | TaskState::AuthRequired)
}

fn id() -> String {
    uuid::Uuid::new_v4().to_string()
}

fn status(state: TaskState, task: &Task, text: &str) -> TaskStatus {
    let message = json!({ "messageId": id(), "role": "ROLE_AGENT", "parts": [{ "text": text }], "taskId": task.id, "contextId": task.context_id });
    let timestamp = Some(chrono::Utc::now().to_rfc3339_opts(chrono::SecondsFormat::Millis, true));
    TaskStatus { state, message: if text.is_empty() { None } else { from_value(message).ok() }, timestamp }
}

fn shortened(mut task: Task, length: Option<i32>) -> Result<Task> {
    if let Some(length) = length {
        let length = usize::try_from(length).map_err(|_| A2AError::InvalidParams("historyLength is negative".into()))?;
        task.history.drain(..task.history.len().saturating_sub(length));
    }
    Ok(task)
}

impl Agent {
    async fn task(&self, id: &str) -> Result<Task> {
        self.0.store.get(id).await?.ok_or_else(|| A2AError::TaskNotFound(id.into()))
    }

    /// Changes a task that is not over, and tells those who listen. Whether it was changed.
    async fn update(&self, id: &str, change: impl FnOnce(&mut Task) -> StreamResponse) -> Result<bool> {
        let mut live = self.0.live.lock().await;
        let mut task = self.task(id).await?;
        if is_over(task.status.state) {
            return Ok(false);
        }
        let event = change(&mut task);
        self.0.store.put(&task).await?;
        live.get(id).map(|events| events.send(event));
        if is_over(task.status.state) || is_waiting(task.status.state) {
            live.remove(id);
        }
        Ok(true)
    }

    async fn say(&self, id: &str, state: TaskState, text: &str) -> Result<bool> {
        let change = |task: &mut Task| {
            task.status = status(state, task, text);
            let (task_id, context_id) = (task.id.clone(), task.context_id.clone().unwrap_or_default());
            StreamResponse::StatusUpdate(TaskStatusUpdateEvent { task_id, context_id, status: task.status.clone(), metadata: None })
        };
        self.update(id, change).await
    }

    async fn give(&self, id: &str, part: Value, append: bool, last_chunk: bool) -> Result<bool> {
        let parts: Vec<Part> = from_value(json!([part]))?;
        let artifact: Artifact = from_value(json!({ "artifactId": "answer", "name": "answer", "parts": parts }))?;
        let change = |task: &mut Task| {
            match task.artifacts.last_mut() {
                Some(before) if append => before.parts.extend(parts),
                _ => task.artifacts = vec![artifact.clone()],
            }
            let (task_id, context_id) = (task.id.clone(), task.context_id.clone().unwrap_or_default());
            StreamResponse::ArtifactUpdate(TaskArtifactUpdateEvent { task_id, context_id, artifact, append, last_chunk, metadata: None })
        };
        self.update(id, change).await
    }

    async fn work(&self, id: &str, said: &str, fresh: bool) -> Result<bool> {
        use TaskState::*;
        let has = |word: &str| said.contains(word);
        self.say(id, Working, "").await?;
        let mut part = json!({ "text": format!("You said: {said}") });
        if fresh && has("ask me") {
            return self.say(id, InputRequired, "Which colour?").await;
        } else if fresh && has("sign in") {
            return self.say(id, AuthRequired, "Please sign in.").await;
        } else if has("fail") {
            return self.say(id, Failed, "It failed.").await;
        } else if has("reject") {
            return self.say(id, Rejected, "Not for me.").await;
        } else if has("work long") || has("slow") {
            for step in 1..=if has("work long") { 40 } else { 6 } {
                tokio::time::sleep(Duration::from_millis(500)).await;
                if !self.say(id, Working, &format!("Step {step}")).await? {
                    return Ok(false);
                }
            }
        } else if has("piece") {
            for (at, word) in ["one ", "two ", "three "].into_iter().enumerate() {
                self.give(id, json!({ "text": word }), at > 0, at == 2).await?;
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
            return self.say(id, Completed, "").await;
        } else if has("link") {
            part = json!({ "url": "https://example.com/dot.png", "mediaType": "image/png", "filename": "dot.png" });
        } else if has("file") {
            part = json!({ "raw": "aGVsbG8=", "mediaType": "text/plain", "filename": "hello.txt" });
        } else if has("data") {
            part = json!({ "data": { "answer": 42, "list": [1, "two", null] } });
        }
        self.give(id, part, false, true).await?;
        self.say(id, Completed, "").await
    }

    /// Takes a message: the task that it begins or continues, and what will come of it. A message only is an answer by itself.
    async fn begin(&self, mut message: Message) -> Result<std::result::Result<(Task, Events), Message>> {
        let said = message.parts.iter().filter_map(|part| part.text.clone()).collect::<String>().to_lowercase();
        let fresh = message.task_id.is_none();
        let mut task = match &message.task_id {
            Some(id) => self.task(id).await?,
            None => {
                let task = Task { id: id(), context_id: Some(message.context_id.clone().unwrap_or_else(id)), status: TaskStatus { state: TaskState::Submitted, message: None, timestamp: None }, artifacts: vec![], history: vec![], metadata: None };
                Task { status: status(TaskState::Submitted, &task, ""), ..task }
            }
        };
        if fresh && said.contains("message only") {
            return Ok(Err(from_value(json!({ "messageId": id(), "role": "ROLE_AGENT", "contextId": task.context_id, "parts": [{ "text": "Just a message." }] }))?));
        } else if is_over(task.status.state) {
            return Err(A2AError::UnsupportedOperation("the task has ended".into()));
        } else if message.context_id.is_some() && message.context_id != task.context_id {
            return Err(A2AError::InvalidParams("contextId is not that of the task".into()));
        }
        (message.task_id, message.context_id) = (Some(task.id.clone()), task.context_id.clone());
        task.history.push(message);
        let events = {
            let mut live = self.0.live.lock().await;
            self.0.store.put(&task).await?;
            live.entry(task.id.clone()).or_insert_with(|| broadcast::channel(64).0).subscribe()
        };
        let (agent, id) = (self.clone(), task.id.clone());
        tokio::spawn(async move { agent.work(&id, &said, fresh).await });
        Ok(Ok((task, events)))
    }
}

/// The task first, then what happens to it.
fn streamed(first: StreamResponse, events: Option<Events>) -> A2AStream {
    Box::pin(stream::unfold((Some(first), events), |(first, mut events)| async move {
        match (first, &mut events) {
            (Some(first), _) => Some((first, (None, events))),
            (None, Some(coming)) => coming.recv().await.ok().map(|event| (event, (None, events))),
            (None, None) => None,
        }
    }))
}

#[async_trait::async_trait]
impl A2AHandler for Agent {
    async fn get_agent_card(&self) -> Result<AgentCard> {
        let url = format!("http://127.0.0.1:{}", port());
        Ok(from_value(json!({
            "name": "Word agent", "description": "Does what words ask for.", "version": "1.0.0", "capabilities": { "streaming": true },
            "supportedInterfaces": [
                { "url": format!("{url}/rpc"), "protocolBinding": "JSONRPC", "protocolVersion": "1.0" },
                { "url": url, "protocolBinding": "HTTP+JSON", "protocolVersion": "1.0" },
            ],
            "defaultInputModes": ["text/plain"], "defaultOutputModes": ["text/plain", "application/json", "image/png"],
            "skills": [{ "id": "words", "name": "Words", "description": "Does what words ask for.", "tags": ["words"] }],
        }))?)
    }

    async fn send_message(&self, request: SendMessageRequest) -> Result<SendMessageResponse> {
        let configuration = request.configuration.unwrap_or_default();
        Ok(match self.begin(request.message).await? {
            Err(message) => SendMessageResponse::Message(message),
            Ok((task, mut events)) => {
                while !configuration.return_immediately && events.recv().await.is_ok() {}
                SendMessageResponse::Task(shortened(self.task(&task.id).await?, configuration.history_length)?)
            }
        })
    }

    async fn send_streaming_message(&self, request: SendMessageRequest) -> Result<A2AStream> {
        Ok(match self.begin(request.message).await? {
            Err(message) => streamed(StreamResponse::Message(message), None),
            Ok((task, events)) => streamed(StreamResponse::Task(task), Some(events)),
        })
    }

    async fn get_task(&self, request: GetTaskRequest) -> Result<Task> {
        shortened(self.task(&request.id).await?, request.history_length)
    }

    async fn list_tasks(&self, request: ListTasksRequest) -> Result<ListTasksResponse> {
        self.0.store.list(&request).await
    }

    async fn cancel_task(&self, request: CancelTaskRequest) -> Result<Task> {
        self.task(&request.id).await?;
        if !self.say(&request.id, TaskState::Canceled, "").await? {
            return Err(A2AError::TaskNotCancelable(request.id));
        }
        self.task(&request.id).await
    }

    async fn subscribe_to_task(&self, request: SubscribeToTaskRequest) -> Result<A2AStream> {
        let mut live = self.0.live.lock().await;
        let task = self.task(&request.id).await?;
        if is_over(task.status.state) {
            return Err(A2AError::UnsupportedOperation("the task has ended".into()));
        }
        let events = live.entry(task.id.clone()).or_insert_with(|| broadcast::channel(64).0).subscribe();
        Ok(streamed(StreamResponse::Task(task), Some(events)))
    }
}

fn port() -> String {
    std::env::var("PORT").unwrap_or("9410".into())
}

#[tokio::main]
async fn main() -> std::io::Result<()> {
    let listener = tokio::net::TcpListener::bind(format!("127.0.0.1:{}", port())).await?;
    axum::serve(listener, router(Agent::default())).await
}
