//! A client of A2A 1.0 for `a2a-tck client`, on the crate ra2a.
use std::{io::BufRead, sync::Arc, time::Duration};

use futures::StreamExt;
use ra2a::client::{Client, ClientConfig, ClientFactory, EventStream, ServiceParams, StaticParamsInjector};
use ra2a::error::A2AError;
use ra2a::types::TransportProtocol;
use serde_json::{Value, from_value, json, to_value};

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

fn text_of(holder: &Value) -> String {
    holder["parts"].as_array().into_iter().flatten().filter_map(|part| part["text"].as_str()).collect()
}

/// What is known of one answer, as the types of the crate spell it.
#[derive(Default)]
struct Known {
    task: Value,
    context: Value,
    state: Value,
    artifacts: Vec<(Value, String)>,
    words: String,
}

impl Known {
    fn status(&mut self, task: &Value, context: &Value, status: &Value) {
        (self.task, self.context, self.state) = (task.clone(), context.clone(), status["state"].clone());
        self.words = text_of(&status["message"]);
    }

    fn task(&mut self, task: &Value) {
        self.status(&task["id"], &task["contextId"], &task["status"]);
        self.artifacts = task["artifacts"].as_array().into_iter().flatten().map(|one| (one["artifactId"].clone(), text_of(one))).collect();
    }

    /// An answer to a message, or an event: an object with the one member that says what it is.
    fn take(&mut self, taken: &Value) {
        if let Some(message) = taken.get("message") {
            (self.words, self.context, self.state) = (text_of(message), message["contextId"].clone(), "completed".into());
        } else if let Some(task) = taken.get("task") {
            self.task(task);
        } else if let Some(one) = taken.get("statusUpdate") {
            self.status(&one["taskId"], &one["contextId"], &one["status"]);
        } else if let Some(one) = taken.get("artifactUpdate") {
            let (id, text) = (one["artifact"]["artifactId"].clone(), text_of(&one["artifact"]));
            match self.artifacts.iter_mut().find(|(known, _)| *known == id) {
                Some((_, before)) if one["append"] == true => before.push_str(&text),
                Some((_, before)) => *before = text,
                None => self.artifacts.push((id, text)),
            }
        }
    }

    async fn stream(&mut self, mut stream: EventStream) -> Result<(), Failure> {
        while let Some(event) = stream.next().await {
            self.take(&to_value(event?)?);
        }
        Ok(())
    }

    async fn follow(&mut self, client: &Client) -> Result<(), Failure> {
        const SETTLED: [&str; 5] = ["COMPLETED", "FAILED", "CANCELED", "REJECTED", "INPUT_REQUIRED"];
        let is_settled = |state: &Value| state.as_str().is_some_and(|one| SETTLED.contains(&one.trim_start_matches("TASK_STATE_")));
        while self.task.is_string() && !is_settled(&self.state) {
            tokio::time::sleep(Duration::from_millis(300)).await;
            self.task(&to_value(client.get_task(&from_value(json!({ "id": self.task }))?).await?)?);
        }
        Ok(())
    }

    fn told(self) -> Value {
        let texts = self.artifacts.into_iter().map(|(_, text)| text).chain([self.words]);
        json!({
            "text": texts.filter(|one| !one.is_empty()).collect::<Vec<_>>().join("\n"),
            "state": self.state, "taskId": self.task, "contextId": self.context,
        })
    }
}

fn message(text: &Value, known: &Known) -> Value {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    let mut message = json!({ "messageId": format!("m-{now:?}"), "role": "ROLE_USER", "parts": [{ "text": text }] });
    if known.context.is_string() {
        message["contextId"] = known.context.clone();
    }
    if known.state == "TASK_STATE_INPUT_REQUIRED" {
        message["taskId"] = known.task.clone();
    }
    json!({ "message": message })
}

async fn run(url: &str, errand: &Value) -> Result<Value, Failure> {
    for what in ["credentials", "trusted", "extensions"] {
        // The crate knows headers alone.
        if !errand[what].is_null() {
            return Err(Failure::Unsupported(what.into()));
        }
    }
    let mut headers = ServiceParams::default();
    for (name, value) in errand["headers"].as_object().into_iter().flatten() {
        headers.append(name, value.as_str().unwrap_or_default());
    }
    let binding = std::env::var("A2A_BINDING").unwrap_or_else(|_| "JSONRPC".into());
    let config = ClientConfig { preferred_transports: vec![TransportProtocol::new(&binding)], ..ClientConfig::default() };
    let factory = ClientFactory::new().with_config(config).with_interceptor(Arc::new(StaticParamsInjector::new(headers)));
    let client = factory.create_from_url(url).await?;
    let (task, mut known) = (json!({ "id": errand["taskId"] }), Known::default());
    match errand["do"].as_str().unwrap_or_default() {
        "send" | "converse" => {
            let texts = errand["texts"].as_array().cloned().unwrap_or_else(|| vec![errand["text"].clone()]);
            for text in texts {
                let request = message(&text, &known);
                known = Known { context: known.context, ..Known::default() };
                known.take(&to_value(client.send_message(&from_value(request)?).await?)?);
                known.follow(&client).await?;
            }
        }
        "stream" => {
            let request = message(&errand["text"], &known);
            known.stream(client.send_streaming_message(&from_value(request)?).await?).await?;
            known.follow(&client).await?;
        }
        "subscribe" => known.stream(client.subscribe_to_task(&from_value(task)?).await?).await?,
        "get" => {
            let query = from_value(json!({ "id": errand["taskId"], "historyLength": errand["historyLength"] }))?;
            known.task(&to_value(client.get_task(&query).await?)?);
        }
        "cancel" => known.task(&to_value(client.cancel_task(&from_value(task)?).await?)?),
        "list" => {
            let wanted = &errand["filter"];
            let mut query = json!({ "contextId": wanted["contextId"], "status": wanted["state"], "pageSize": wanted["pageSize"], "statusTimestampAfter": wanted["updatedAfter"] });
            let mut ids = vec![];
            loop {
                let page = to_value(client.list_tasks(&from_value(query.clone())?).await?)?;
                ids.extend(page["tasks"].as_array().into_iter().flatten().map(|one| one["id"].clone()));
                match page["nextPageToken"].as_str() {
                    None | Some("") => return Ok(json!({ "ids": ids })),
                    Some(token) => query["pageToken"] = token.into(),
                }
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
            Err(Failure::Library(error)) => {
                let name = format!("{error:?}").split('(').next().unwrap_or_default().to_owned();
                let code = if let A2AError::JsonRpc(one) = &error { one.code } else { error.to_jsonrpc_error().code };
                (json!({ "error": { "name": name, "code": code, "message": error.to_string() } }), 1)
            }
        };
        (told["id"], told["status"]) = (one["id"].clone(), status.into());
        println!("{told}");
    }
}
