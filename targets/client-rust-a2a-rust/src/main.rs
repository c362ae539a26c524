//! A client of A2A 1.0 for `a2a-tck client`, on the crate a2a-rust.
use std::{io::BufRead, time::Duration};

use a2a_rust::A2AError;
use a2a_rust::client::{A2AClient, A2AClientConfig, A2AClientStream};
use a2a_rust::types::{SendMessageResponse, StreamResponse, Task, TaskState, TaskStatus};
use futures_util::StreamExt;
use serde_json::{Value, from_value, json};

enum Failure {
    Unsupported(String),
    Library(A2AError),
}

impl From<A2AError> for Failure {
    fn from(error: A2AError) -> Self {
        Failure::Library(error)
    }
}

impl From<serde_json::Error> for Failure {
    fn from(error: serde_json::Error) -> Self {
        Failure::Unsupported(error.to_string())
    }
}

fn text_of(parts: &[a2a_rust::types::Part]) -> String {
    parts.iter().filter_map(|part| part.text.clone()).collect()
}

/// What is known of one answer.
#[derive(Default)]
struct Known {
    task: String,
    context: Option<String>,
    state: Option<TaskState>,
    artifacts: Vec<(String, String)>,
    words: String,
}

impl Known {
    fn status(&mut self, task: &str, context: Option<&str>, status: &TaskStatus) {
        (self.task, self.context, self.state) = (task.into(), context.map(Into::into), Some(status.state));
        self.words = status.message.as_ref().map(|one| text_of(&one.parts)).unwrap_or_default();
    }

    fn task(&mut self, task: &Task) {
        self.status(&task.id, task.context_id.as_deref(), &task.status);
        self.artifacts = task.artifacts.iter().map(|one| (one.artifact_id.clone(), text_of(&one.parts))).collect();
    }

    fn message(&mut self, message: &a2a_rust::types::Message) {
        (self.words, self.context, self.state) = (text_of(&message.parts), message.context_id.clone(), Some(TaskState::Completed));
    }

    fn event(&mut self, event: &StreamResponse) {
        match event {
            StreamResponse::Task(task) => self.task(task),
            StreamResponse::Message(message) => self.message(message),
            StreamResponse::StatusUpdate(one) => self.status(&one.task_id, Some(&one.context_id), &one.status),
            StreamResponse::ArtifactUpdate(one) => {
                let text = text_of(&one.artifact.parts);
                match self.artifacts.iter_mut().find(|(id, _)| *id == one.artifact.artifact_id) {
                    Some((_, before)) if one.append => before.push_str(&text),
                    Some((_, before)) => *before = text,
                    None => self.artifacts.push((one.artifact.artifact_id.clone(), text)),
                }
            }
        }
    }

    async fn stream(&mut self, mut stream: A2AClientStream) -> Result<(), Failure> {
        while let Some(event) = stream.next().await {
            self.event(&event?);
        }
        Ok(())
    }

    async fn follow(&mut self, client: &A2AClient) -> Result<(), Failure> {
        use TaskState::*;
        while !self.task.is_empty() && !matches!(self.state, Some(Completed | Failed | Canceled | Rejected | InputRequired)) {
            tokio::time::sleep(Duration::from_millis(300)).await;
            self.task(&client.get_task(from_value(json!({ "id": self.task }))?).await?);
        }
        Ok(())
    }

    fn told(self) -> Value {
        let texts = self.artifacts.into_iter().map(|(_, text)| text).chain([self.words]);
        json!({
            "text": texts.filter(|one| !one.is_empty()).collect::<Vec<_>>().join("\n"),
            "state": self.state, "taskId": Some(self.task).filter(|one| !one.is_empty()), "contextId": self.context,
        })
    }
}

fn message(text: &str, known: &Known) -> Value {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    let mut message = json!({ "messageId": format!("m-{now:?}"), "role": "ROLE_USER", "parts": [{ "text": text }], "contextId": known.context });
    if known.state == Some(TaskState::InputRequired) {
        message["taskId"] = known.task.clone().into();
    }
    json!({ "message": message })
}

async fn run(url: &str, errand: &Value) -> Result<Value, Failure> {
    for what in ["credentials", "trusted"] {
        // The crate has no door for credentials, and verifies signatures where its caller brings the cryptography.
        if !errand[what].is_null() {
            return Err(Failure::Unsupported(what.into()));
        }
    }
    let mut headers = reqwest::header::HeaderMap::new();
    for (name, value) in errand["headers"].as_object().into_iter().flatten() {
        let name = reqwest::header::HeaderName::from_bytes(name.as_bytes()).map_err(|_| Failure::Unsupported(name.clone()))?;
        headers.insert(name, value.as_str().unwrap_or_default().parse().map_err(|_| Failure::Unsupported("this header".into()))?);
    }
    let http = reqwest::Client::builder().default_headers(headers).timeout(Duration::from_secs(10)).build().map_err(A2AError::from)?;
    let extensions = from_value(errand["extensions"].clone()).unwrap_or_default();
    let client = A2AClient::with_http_client(url, http, A2AClientConfig { extensions, ..A2AClientConfig::default() })?;
    let (task, mut known) = (json!({ "id": errand["taskId"] }), Known::default());
    // The crate streams over HTTP+JSON alone.
    let streams = std::env::var("A2A_BINDING").as_deref() == Ok("HTTP+JSON");
    match errand["do"].as_str().unwrap_or_default() {
        "stream" | "subscribe" if !streams => return Err(Failure::Unsupported("streams over JSON-RPC".into())),
        "send" | "converse" | "extended-card" => {
            if errand["do"] == "extended-card" {
                client.get_extended_agent_card(from_value(json!({}))?).await?;
            }
            let texts = errand["texts"].as_array().cloned().unwrap_or_else(|| vec![errand["text"].clone()]);
            for text in texts {
                let request = message(text.as_str().unwrap_or_default(), &known);
                known = Known { context: known.context, ..Known::default() };
                match client.send_message(from_value(request)?).await? {
                    SendMessageResponse::Task(task) => known.task(&task),
                    SendMessageResponse::Message(message) => known.message(&message),
                }
                known.follow(&client).await?;
            }
        }
        "stream" => {
            let request = message(errand["text"].as_str().unwrap_or_default(), &known);
            known.stream(client.send_streaming_message(from_value(request)?).await?).await?;
            known.follow(&client).await?;
        }
        "subscribe" => known.stream(client.subscribe_to_task(from_value(task)?).await?).await?,
        "get" => known.task(&client.get_task(from_value(json!({ "id": errand["taskId"], "historyLength": errand["historyLength"] }))?).await?),
        "cancel" => known.task(&client.cancel_task(from_value(task)?).await?),
        "list" => {
            let wanted = &errand["filter"];
            let mut query = json!({ "contextId": wanted["contextId"], "status": wanted["state"], "pageSize": wanted["pageSize"], "statusTimestampAfter": wanted["updatedAfter"] });
            let mut ids = vec![];
            loop {
                let page = client.list_tasks(from_value(query.clone())?).await?;
                ids.extend(page.tasks.into_iter().map(|one| one.id));
                if page.next_page_token.is_empty() {
                    return Ok(json!({ "ids": ids }));
                }
                query["pageToken"] = page.next_page_token.into();
            }
        }
        other => return Err(Failure::Unsupported(format!("the errand {other}"))),
    }
    Ok(known.told())
}

#[tokio::main]
async fn main() {
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        let Ok(one) = serde_json::from_str::<Value>(&line) else { continue };
        let (mut told, status) = match run(one["url"].as_str().unwrap_or_default(), &one["errand"]).await {
            Ok(told) => (told, 0),
            Err(Failure::Unsupported(why)) => (json!({ "unsupported": why }), 0),
            Err(Failure::Library(error)) => (json!({ "error": { "name": error.reason(), "message": error.to_string() } }), 1),
        };
        (told["id"], told["status"]) = (one["id"].clone(), status.into());
        println!("{told}");
    }
}
