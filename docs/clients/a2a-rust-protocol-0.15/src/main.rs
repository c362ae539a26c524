//! A client of A2A 1.0 for `a2a-tck client`, on the crate a2a-protocol-client:
//!
//!     cargo build --release
//!     npx a2a-tck@0.1.0 client --command target/release/client --stdin

use std::collections::HashMap;
use std::io::BufRead;
use std::sync::Arc;
use std::time::Duration;

use a2a_protocol_client::discovery::{resolve_agent_card_with_options, CardFetchOptions};
use a2a_protocol_client::{
    A2aClient, AuthInterceptor, CallInterceptor, ClientBuilder, ClientError, ClientRequest, ClientResponse, ClientResult, CredentialsStore, InMemoryCredentialsStore, SessionId,
};
use a2a_protocol_types::security::SecurityScheme;
use a2a_protocol_types::{
    AgentCard, Artifact, ListTasksParams, Message, MessageSendParams, Part, SendMessageResponse, StreamResponse, Task,
    TaskQueryParams, TaskState, TaskStatus,
};
use serde::Deserialize;
use serde_json::{json, Value};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Errand {
    r#do: String,
    text: String,
    texts: Vec<String>,
    task_id: String,
    history_length: Option<u32>,
    filter: Filter,
    credentials: HashMap<String, String>,
    headers: HashMap<String, String>,
    extensions: Option<Vec<String>>,
    trusted: Option<Value>,
}

impl Default for Errand {
    fn default() -> Self {
        Errand {
            r#do: "send".into(),
            text: "Hello".into(),
            texts: vec![],
            task_id: String::new(),
            history_length: None,
            filter: Filter::default(),
            credentials: HashMap::new(),
            headers: HashMap::new(),
            extensions: None,
            trusted: None,
        }
    }
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Filter {
    context_id: Option<String>,
    state: Option<TaskState>,
    page_size: Option<u32>,
    updated_after: Option<String>,
}

enum Failure {
    Unsupported(String),
    Client(ClientError),
}

impl From<ClientError> for Failure {
    fn from(error: ClientError) -> Self {
        Failure::Client(error)
    }
}

fn text_of(parts: &[Part]) -> String {
    parts.iter().filter_map(Part::text_content).collect()
}

fn name_of(state: TaskState) -> Value {
    serde_json::to_value(state).unwrap_or_default()
}

/// What is known of one answer.
#[derive(Default)]
struct Known {
    task: Option<String>,
    context: Option<String>,
    state: Option<TaskState>,
    artifacts: Vec<(String, String)>,
    words: String,
    states: Vec<Value>,
}

impl Known {
    fn status(&mut self, task: &str, context: &str, status: &TaskStatus) {
        self.task = Some(task.into());
        self.context = Some(context.into());
        self.state = Some(status.state);
        self.words = status.message.as_ref().map(|one| text_of(&one.parts)).unwrap_or_default();
        self.states.push(name_of(status.state));
    }

    fn task(&mut self, task: &Task) {
        self.status(&task.id.0, &task.context_id.0, &task.status);
        self.artifacts.clear();
        task.artifacts.iter().flatten().for_each(|one| self.artifact(one, false));
    }

    fn artifact(&mut self, artifact: &Artifact, append: bool) {
        let text = text_of(&artifact.parts);
        match self.artifacts.iter_mut().find(|(id, _)| *id == artifact.id.0) {
            Some((_, before)) if append => before.push_str(&text),
            Some((_, before)) => *before = text,
            None => self.artifacts.push((artifact.id.0.clone(), text)),
        }
    }

    fn message(&mut self, message: &Message) {
        self.words = text_of(&message.parts);
        self.context = message.context_id.as_ref().map(|one| one.0.clone());
        self.state = Some(TaskState::Completed);
    }

    fn event(&mut self, event: &StreamResponse) {
        match event {
            StreamResponse::Task(task) => self.task(task),
            StreamResponse::Message(message) => self.message(message),
            StreamResponse::StatusUpdate(one) => self.status(&one.task_id.0, &one.context_id.0, &one.status),
            StreamResponse::ArtifactUpdate(one) => self.artifact(&one.artifact, one.append == Some(true)),
            _ => {}
        }
    }

    fn is_settled(&self) -> bool {
        use TaskState::*;
        matches!(self.state, Some(Completed | Failed | Canceled | Rejected | InputRequired))
    }

    fn told(self) -> Value {
        let texts = self.artifacts.into_iter().map(|(_, text)| text).chain([self.words]);
        let text = texts.filter(|one| !one.is_empty()).collect::<Vec<_>>().join("\n");
        let mut told = json!({ "text": text, "states": self.states });
        if let Some(state) = self.state {
            told["state"] = name_of(state);
        }
        if let Some(task) = self.task {
            told["taskId"] = task.into();
        }
        if let Some(context) = self.context {
            told["contextId"] = context.into();
        }
        told
    }
}

/// Adds the headers of the user to every call.
struct Configured(HashMap<String, String>);

impl CallInterceptor for Configured {
    async fn before<'a>(&'a self, request: &'a mut ClientRequest) -> ClientResult<()> {
        request.extra_headers.extend(self.0.clone());
        Ok(())
    }

    async fn after<'a>(&'a self, _: &'a ClientResponse) -> ClientResult<()> {
        Ok(())
    }
}

/// One interceptor for each scheme of the card for which there is a credential.
fn with_credentials(mut builder: ClientBuilder, card: &AgentCard, errand: &Errand) -> ClientResult<ClientBuilder> {
    let session = SessionId::new("errand");
    let store = Arc::new(InMemoryCredentialsStore::new());
    for (name, scheme) in card.security_schemes.iter().flatten() {
        let Some(credential) = errand.credentials.get(name) else { continue };
        let (store, session) = (store.clone(), session.clone());
        let kept = |scheme: &str, value: String| store.set(session.clone(), scheme, value);
        builder = match scheme {
            SecurityScheme::ApiKey(key) => {
                kept(name, credential.clone());
                builder.with_interceptor(AuthInterceptor::api_key(store, session, name.clone(), key)?)
            }
            SecurityScheme::Http(http) if http.scheme.eq_ignore_ascii_case("basic") => {
                kept("basic", base64(credential.as_bytes()));
                builder.with_interceptor(AuthInterceptor::with_scheme(store, session, "basic"))
            }
            _ => {
                kept("bearer", credential.clone());
                builder.with_interceptor(AuthInterceptor::new(store, session))
            }
        };
    }
    Ok(builder)
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let letter = |at: u32| LETTERS[(at & 63) as usize] as char;
    let mut text = String::new();
    for three in bytes.chunks(3) {
        let sum = (0..3).fold(0u32, |sum, at| sum << 8 | u32::from(*three.get(at).unwrap_or(&0)));
        text.push(letter(sum >> 18));
        text.push(letter(sum >> 12));
        text.push(if three.len() > 1 { letter(sum >> 6) } else { '=' });
        text.push(if three.len() > 2 { letter(sum) } else { '=' });
    }
    text
}

fn message(text: &str) -> Message {
    let id = format!("{:?}", std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default());
    Message::user_text(format!("m-{}-{id}", std::process::id()), text)
}

async fn say(client: &A2aClient, known: &mut Known, message: Message) -> Result<(), Failure> {
    match client.send_message(MessageSendParams::new(message)).await? {
        SendMessageResponse::Task(task) => known.task(&task),
        SendMessageResponse::Message(message) => known.message(&message),
        _ => {}
    }
    follow(client, known).await
}

async fn follow(client: &A2aClient, known: &mut Known) -> Result<(), Failure> {
    while let (Some(task), false) = (known.task.clone(), known.is_settled()) {
        tokio::time::sleep(Duration::from_millis(300)).await;
        known.task(&client.get_task(TaskQueryParams { tenant: None, id: task, history_length: None }).await?);
    }
    Ok(())
}

fn connected(card: &AgentCard, errand: &Errand) -> ClientResult<A2aClient> {
    let binding = std::env::var("A2A_BINDING").unwrap_or_else(|_| "JSONRPC".into());
    let mut builder = ClientBuilder::from_card_preferring(card, &[binding])?;
    if let Some(extensions) = &errand.extensions {
        builder = builder.with_extensions(extensions.clone());
    }
    if !errand.headers.is_empty() {
        builder = builder.with_interceptor(Configured(errand.headers.clone()));
    }
    with_credentials(builder, card, errand)?.build()
}

async fn run(url: &str, errand: &Errand) -> Result<Value, Failure> {
    let mut options = CardFetchOptions::default();
    if let Some(keys) = &errand.trusted {
        let keys = serde_json::from_value(json!({ "keys": keys }))
            .map_err(|error| Failure::Unsupported(format!("these keys: {error}")))?;
        options = options.with_signature_keys(keys).with_require_signature(true);
    }
    let card = resolve_agent_card_with_options(url, &options).await?;
    let client = connected(&card, errand)?;
    let mut known = Known::default();
    match errand.r#do.as_str() {
        "send" => say(&client, &mut known, message(&errand.text)).await?,
        "stream" => {
            let mut stream = client.stream_message(MessageSendParams::new(message(&errand.text))).await?;
            while let Some(event) = stream.next().await {
                known.event(&event?);
            }
            follow(&client, &mut known).await?;
        }
        "subscribe" => {
            let mut stream = client.subscribe_to_task(errand.task_id.clone()).await?;
            while let Some(event) = stream.next().await {
                known.event(&event?);
            }
        }
        "converse" => {
            for text in &errand.texts {
                let mut sent = message(text);
                if let Some(context) = &known.context {
                    sent = sent.with_context_id(context.clone());
                }
                if let (Some(task), Some(TaskState::InputRequired)) = (&known.task, known.state) {
                    sent = sent.with_task_id(task.clone());
                }
                known = Known { context: known.context, states: known.states, ..Known::default() };
                say(&client, &mut known, sent).await?;
            }
        }
        "get" => {
            let (id, history_length) = (errand.task_id.clone(), errand.history_length);
            known.task(&client.get_task(TaskQueryParams { tenant: None, id, history_length }).await?);
        }
        "cancel" => known.task(&client.cancel_task(errand.task_id.clone()).await?),
        "list" => return pages(&client, &errand.filter).await,
        "extended-card" => {
            let extended = client.get_extended_agent_card().await?;
            // It replaces the public card, unless the user wants signatures, which the library reads in public ones.
            let client = if errand.trusted.is_some() { client } else { connected(&extended, errand)? };
            say(&client, &mut known, message(&errand.text)).await?;
        }
        other => return Err(Failure::Unsupported(format!("the errand {other}"))),
    }
    Ok(known.told())
}

async fn pages(client: &A2aClient, wanted: &Filter) -> Result<Value, Failure> {
    let mut query = ListTasksParams {
        context_id: wanted.context_id.clone(),
        status: wanted.state,
        page_size: wanted.page_size,
        status_timestamp_after: wanted.updated_after.clone(),
        ..ListTasksParams::default()
    };
    let mut ids = vec![];
    loop {
        let page = client.list_tasks(query.clone()).await?;
        ids.extend(page.tasks.into_iter().map(|one| one.id.0));
        if page.next_page_token.is_empty() {
            return Ok(json!({ "ids": ids }));
        }
        query.page_token = Some(page.next_page_token);
    }
}

/// What is told of an errand, and the exit status.
async fn done(url: &str, errand: &Errand) -> (Value, i32) {
    match run(url, errand).await {
        Ok(told) => (told, 0),
        Err(Failure::Unsupported(why)) => (json!({ "unsupported": why }), 0),
        Err(Failure::Client(ClientError::Protocol(error))) => {
            let about = json!({ "code": error.code.as_i32(), "message": error.message });
            (json!({ "error": about }), 1)
        }
        Err(Failure::Client(error)) => (json!({ "error": error.to_string() }), 1),
    }
}

#[derive(Deserialize)]
struct Line {
    id: String,
    url: String,
    errand: Errand,
}

#[tokio::main]
async fn main() {
    let url = std::env::args().next_back().unwrap_or_default();
    if url == "-" {
        for line in std::io::stdin().lock().lines().map_while(Result::ok) {
            let Ok(one) = serde_json::from_str::<Line>(&line) else { continue };
            let (mut told, status) = done(&one.url, &one.errand).await;
            told["id"] = one.id.into();
            told["status"] = status.into();
            println!("{told}");
        }
        return;
    }
    let errand = std::env::var("A2A_CONTEXT").ok().and_then(|text| serde_json::from_str(&text).ok());
    let (told, status) = done(&url, &errand.unwrap_or_default()).await;
    println!("{told}");
    std::process::exit(status);
}
