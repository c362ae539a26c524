//! A small agent on ra2a that does what words of the prompt ask for, over JSON-RPC.
use std::{collections::HashMap, future::Future, pin::Pin, sync::Arc, sync::Mutex, time::Duration};

use ra2a::server::{
    a2a_router, AgentExecutor, Event, EventQueue, HandlerBuilder, HttpPushSender, InMemoryPushNotificationConfigStore,
    RequestContext, ServerState,
};
use ra2a::types::{
    AgentCard, AgentInterface, AgentSkill, Artifact, Message, Part, Task, TaskArtifactUpdateEvent, TaskState,
    TaskStatus, TaskStatusUpdateEvent, TransportProtocol,
};
use ra2a::error::Result;

#[derive(Default)]
struct Words {
    running: Mutex<HashMap<String, Arc<tokio::sync::Notify>>>,
}

type Done<'a> = Pin<Box<dyn Future<Output = Result<()>> + Send + 'a>>;

impl AgentExecutor for Words {
    fn execute<'a>(&'a self, ctx: &'a RequestContext, queue: &'a EventQueue) -> Done<'a> {
        Box::pin(async move {
            let said = ctx.message.as_ref().and_then(Message::text_content).unwrap_or_default().to_lowercase();
            let has = |w: &str| said.contains(w);
            if has("message only") {
                return queue.send(Event::Message(Message::agent_text("Just a message.")));
            }
            let fresh = ctx.stored_task.is_none();
            if let (true, Some(message)) = (fresh, ctx.message.clone()) {
                queue.send(Event::Task(Task::new_submitted(&*ctx.task_id, &*ctx.context_id, message)))?;
            }
            let stop = Arc::new(tokio::sync::Notify::new());
            self.running.lock().unwrap().insert(ctx.task_id.clone(), stop.clone());
            let status = |state, text: &str| {
                let status = if text.is_empty() {
                    TaskStatus::new(state)
                } else {
                    let message = Message::agent_text(text).with_task_id(&*ctx.task_id).with_context_id(&*ctx.context_id);
                    TaskStatus::with_message(state, message)
                };
                queue.send(Event::StatusUpdate(TaskStatusUpdateEvent::new(&*ctx.task_id, &*ctx.context_id, status)))
            };
            let piece = |part, append, last| {
                let mut event =
                    TaskArtifactUpdateEvent::new(&*ctx.task_id, &*ctx.context_id, Artifact::new("answer", vec![part]));
                (event.append, event.last_chunk) = (append, last);
                queue.send(Event::ArtifactUpdate(event))
            };
            let wait = |ms| {
                let stop = stop.clone();
                async move {
                    tokio::select! {
                        () = tokio::time::sleep(Duration::from_millis(ms)) => true,
                        () = stop.notified() => false,
                    }
                }
            };
            status(TaskState::Working, "")?;
            let mut part = Part::text(format!("You said: {said}"));
            if fresh && has("ask me") {
                return status(TaskState::InputRequired, "Which colour?");
            } else if fresh && has("sign in") {
                return status(TaskState::AuthRequired, "Please sign in.");
            } else if has("fail") {
                return status(TaskState::Failed, "It failed.");
            } else if has("reject") {
                return status(TaskState::Rejected, "Not for me.");
            } else if has("work long") {
                if !wait(20_000).await {
                    return Ok(());
                }
            } else if has("slow") {
                for step in 1..=6 {
                    if !wait(500).await {
                        return Ok(());
                    }
                    status(TaskState::Working, &format!("Step {step}"))?;
                }
            } else if has("piece") {
                piece(Part::text("one "), false, false)?;
                wait(50).await;
                piece(Part::text("two "), true, false)?;
                wait(50).await;
                piece(Part::text("three "), true, true)?;
                return status(TaskState::Completed, "");
            } else if has("link") {
                part = Part::url("https://example.com/dot.png", "image/png");
            } else if has("file") {
                part = Part::raw(b"hello".to_vec(), "text/plain").with_filename("hello.txt");
            } else if has("data") {
                part = Part::data(serde_json::json!({"answer": 42, "list": [1, "two", null]}));
            }
            piece(part, false, true)?;
            status(TaskState::Completed, "")
        })
    }

    fn cancel<'a>(&'a self, ctx: &'a RequestContext, queue: &'a EventQueue) -> Done<'a> {
        Box::pin(async move {
            if let Some(stop) = self.running.lock().unwrap().remove(&ctx.task_id) {
                stop.notify_one();
            }
            let status = TaskStatus::new(TaskState::Canceled);
            queue.send(Event::StatusUpdate(TaskStatusUpdateEvent::new(&*ctx.task_id, &*ctx.context_id, status)))
        })
    }
}

#[tokio::main]
async fn main() -> std::io::Result<()> {
    let port = std::env::var("PORT").unwrap_or("9400".into());
    let url = format!("http://127.0.0.1:{port}");
    let mut card = AgentCard::new(
        "Word agent",
        "Does what words ask for.",
        vec![AgentInterface::new(&url, TransportProtocol::new(TransportProtocol::JSONRPC))],
    );
    card.skills.push(AgentSkill::new("words", "Words", "Does what words ask for.", vec!["words".into()]));
    card.capabilities.streaming = Some(true);
    card.capabilities.push_notifications = Some(true);
    let handler = HandlerBuilder::new(Words::default(), card.clone())
        .with_push_notifications(Arc::new(InMemoryPushNotificationConfigStore::new()), Arc::new(HttpPushSender::new()))
        .build();
    let app = axum::Router::new().merge(a2a_router(ServerState::new(Arc::new(handler), card)));
    axum::serve(tokio::net::TcpListener::bind(format!("127.0.0.1:{port}")).await?, app).await
}
