//! A small agent on a2a-protocol-server that does what words of the prompt ask for.
use std::sync::Arc;
use std::time::Duration;

use a2a_protocol_server::dispatch::CombinedDispatcher;
use a2a_protocol_server::{
    agent_executor, serve, EventEmitter, GrpcConfig, GrpcDispatcher, HttpPushSender, RequestHandlerBuilder,
};
use a2a_protocol_types::events::{StreamResponse, TaskStatusUpdateEvent};
use a2a_protocol_types::failure::FailureClass;
use a2a_protocol_types::{
    AgentCapabilities, AgentCard, AgentInterface, AgentSkill, ContextId, Message, Part, TaskState, TaskStatus,
};

struct Words;

fn note(ctx: &a2a_protocol_server::RequestContext, state: TaskState, text: &str) -> StreamResponse {
    let mut message = Message::agent_text(format!("{}-{}-{:?}", ctx.task_id, text.len(), std::time::Instant::now()), text);
    message.task_id = Some(ctx.task_id.clone());
    message.context_id = Some(ContextId::new(ctx.context_id.clone()));
    let mut status = TaskStatus::with_timestamp(state);
    status.message = Some(message);
    StreamResponse::StatusUpdate(TaskStatusUpdateEvent {
        task_id: ctx.task_id.clone(),
        context_id: ContextId::new(ctx.context_id.clone()),
        status,
        metadata: None,
    })
}

agent_executor!(Words, |ctx, queue| async {
    let emit = EventEmitter::new(ctx, queue);
    let said = ctx.message.texts().collect::<Vec<_>>().join(" ").to_lowercase();
    let has = |w: &str| said.contains(w);
    if has("message only") {
        return queue.write(StreamResponse::Message(Message::agent_text("m-answer", "Just a message."))).await;
    }
    let fresh = ctx.stored_task.is_none();
    let wait = |ms: u64| async move {
        tokio::select! {
            () = tokio::time::sleep(Duration::from_millis(ms)) => true,
            () = ctx.cancellation_token.cancelled() => false,
        }
    };
    emit.status(TaskState::Working).await?;
    let mut part = Part::text(format!("You said: {said}"));
    if fresh && has("ask me") {
        return queue.write(note(ctx, TaskState::InputRequired, "Which colour?")).await;
    } else if fresh && has("sign in") {
        return emit.auth_required("Please sign in.").await;
    } else if has("fail") {
        return emit.fail(FailureClass::Internal, "It failed.").await;
    } else if has("reject") {
        return queue.write(note(ctx, TaskState::Rejected, "Not for me.")).await;
    } else if has("work long") {
        if !wait(20_000).await {
            return Ok(());
        }
    } else if has("slow") {
        for step in 1..=6 {
            if !wait(500).await {
                return Ok(());
            }
            queue.write(note(ctx, TaskState::Working, &format!("Step {step}"))).await?;
        }
    } else if has("piece") {
        emit.artifact("answer", vec![Part::text("one ")], Some(false), Some(false)).await?;
        wait(50).await;
        emit.artifact("answer", vec![Part::text("two ")], Some(true), Some(false)).await?;
        wait(50).await;
        emit.artifact("answer", vec![Part::text("three ")], Some(true), Some(true)).await?;
        return emit.status(TaskState::Completed).await;
    } else if has("link") {
        part = Part::url("https://example.com/dot.png").with_media_type("image/png");
    } else if has("file") {
        part = Part::raw("aGVsbG8=").with_media_type("text/plain").with_filename("hello.txt");
    } else if has("data") {
        part = Part::data(serde_json::json!({"answer": 42, "list": [1, "two", null]}));
    }
    emit.artifact("answer", vec![part], None, Some(true)).await?;
    emit.status(TaskState::Completed).await
});

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().collect();
    let clean = args.iter().any(|a| a == "--clean");
    let given = |name: &str| args.iter().find_map(|a| a.strip_prefix(name));
    let port: u16 = given("--port=").unwrap_or("9300").parse()?;
    let rpc: u16 = given("--grpc=").unwrap_or("9301").parse()?;
    let base = format!("http://127.0.0.1:{port}");
    let capabilities = AgentCapabilities::none()
        .with_streaming(true)
        .with_push_notifications(true)
        .with_extended_agent_card(true);
    let card = AgentCard::new("Word agent", "1.0.0", AgentInterface::jsonrpc(format!("{base}/rpc")))
        .with_description("Does what words ask for.")
        .with_interface(AgentInterface::rest(base.clone()))
        .with_interface(AgentInterface::grpc(format!("http://127.0.0.1:{}", rpc)))
        .with_capabilities(capabilities)
        .with_skill(AgentSkill::new("words", "Words", "Does what words ask for.").with_tags(["words"]));
    let sender = if clean { HttpPushSender::new() } else { HttpPushSender::new().allow_private_urls() };
    let handler = Arc::new(
        RequestHandlerBuilder::new(Words)
            .with_agent_card(card.clone())
            .with_extended_agent_card(card)
            .with_push_sender(sender)
            .build()?,
    );
    GrpcDispatcher::new(handler.clone(), GrpcConfig::default())
        .serve_with_addr(("127.0.0.1", rpc))
        .await?;
    serve(("127.0.0.1", port), CombinedDispatcher::new(handler).with_jsonrpc_path("/rpc")?).await?;
    Ok(())
}
