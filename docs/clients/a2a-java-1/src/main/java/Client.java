// A client of A2A 1.0 for `a2a-tck client`, on org.a2aproject.sdk:a2a-java-sdk-client:
//   mvn package
//   npx a2a-tck@0.1.0 client --command "java -cp target/classes:target/dependency/* Client" --stdin

import com.google.gson.Gson;
import com.google.gson.JsonObject;
import com.google.gson.annotations.SerializedName;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.a2aproject.sdk.A2A;
import org.a2aproject.sdk.client.ClientEvent;
import org.a2aproject.sdk.client.MessageEvent;
import org.a2aproject.sdk.client.TaskEvent;
import org.a2aproject.sdk.client.TaskUpdateEvent;
import org.a2aproject.sdk.client.config.ClientConfig;
import org.a2aproject.sdk.client.transport.jsonrpc.JSONRPCTransport;
import org.a2aproject.sdk.client.transport.jsonrpc.JSONRPCTransportConfigBuilder;
import org.a2aproject.sdk.client.transport.rest.RestTransport;
import org.a2aproject.sdk.client.transport.rest.RestTransportConfigBuilder;
import org.a2aproject.sdk.client.transport.spi.interceptors.ClientCallContext;
import org.a2aproject.sdk.client.transport.spi.interceptors.auth.AuthInterceptor;
import org.a2aproject.sdk.spec.AgentCard;
import org.a2aproject.sdk.spec.Artifact;
import org.a2aproject.sdk.spec.CancelTaskParams;
import org.a2aproject.sdk.spec.HTTPAuthSecurityScheme;
import org.a2aproject.sdk.spec.ListTasksParams;
import org.a2aproject.sdk.spec.Message;
import org.a2aproject.sdk.spec.Part;
import org.a2aproject.sdk.spec.Task;
import org.a2aproject.sdk.spec.TaskIdParams;
import org.a2aproject.sdk.spec.TaskQueryParams;
import org.a2aproject.sdk.spec.TaskState;
import org.a2aproject.sdk.spec.TextPart;

public class Client {
  record Filter(String contextId, String state, Integer pageSize, String updatedAfter) {}

  record Errand(
      @SerializedName("do") String what,
      String text,
      List<String> texts,
      String taskId,
      Integer historyLength,
      Filter filter,
      Map<String, String> credentials,
      Map<String, String> headers,
      List<String> extensions,
      List<Object> trusted) {}

  record Line(String id, String url, Errand errand) {}

  static class Unsupported extends RuntimeException {
    Unsupported(String what) {
      super(what);
    }
  }

  static final Set<TaskState> settled =
      Set.of(
          TaskState.TASK_STATE_COMPLETED,
          TaskState.TASK_STATE_FAILED,
          TaskState.TASK_STATE_CANCELED,
          TaskState.TASK_STATE_REJECTED,
          TaskState.TASK_STATE_INPUT_REQUIRED);

  static final Gson gson = new Gson();

  /** What is known of one answer; the events of a stream come on another thread. */
  static class Known {
    Task task;
    TaskState state;
    String contextId;
    String words = "";
    final List<String> states = new ArrayList<>();
    Throwable failure;
    CountDownLatch ended = new CountDownLatch(1);

    synchronized void take(ClientEvent event) {
      if (event instanceof MessageEvent one) {
        state = TaskState.TASK_STATE_COMPLETED;
        contextId = one.getMessage().contextId();
        words = textOf(one.getMessage().parts());
      } else if (event instanceof TaskEvent one) take(one.getTask());
      else if (event instanceof TaskUpdateEvent one) take(one.getTask());
      if (isSettled()) ended.countDown();
    }

    synchronized void take(Task one) {
      if (one.status().state() != state) states.add(one.status().state().name());
      task = one;
      state = one.status().state();
      contextId = one.contextId();
      Message message = one.status().message();
      words = message == null ? "" : textOf(message.parts());
    }

    /** Without an error the stream has ended in order. */
    synchronized void fail(Throwable error) {
      if (error != null) failure = error;
      ended.countDown();
    }

    synchronized boolean isSettled() {
      return settled.contains(state);
    }

    synchronized Map<String, Object> told() {
      List<Artifact> artifacts = task == null || task.artifacts() == null ? List.of() : task.artifacts();
      Map<String, Object> told = new LinkedHashMap<>();
      if (state != null) told.put("state", state.name());
      told.put(
          "text",
          Stream.concat(artifacts.stream().map(one -> textOf(one.parts())), Stream.of(words))
              .filter(one -> !one.isEmpty())
              .collect(Collectors.joining("\n")));
      if (task != null) told.put("taskId", task.id());
      if (contextId != null) told.put("contextId", contextId);
      told.put("states", states);
      return told;
    }
  }

  static String textOf(List<Part<?>> parts) {
    return parts.stream()
        .map(part -> part instanceof TextPart one ? one.text() : "")
        .collect(Collectors.joining());
  }

  final org.a2aproject.sdk.client.Client client;
  final ClientCallContext context;
  Known known = new Known();

  Client(String url, Errand errand) throws Exception {
    AgentCard card = A2A.getAgentCard(url);
    Map<String, String> credentials = errand.credentials == null ? Map.of() : errand.credentials;
    var auth = new AuthInterceptor((scheme, context) -> credential(card, scheme, credentials.get(scheme)));
    var config = ClientConfig.builder().setStreaming(errand.what.equals("stream") || errand.what.equals("subscribe"));
    var builder = org.a2aproject.sdk.client.Client.builder(card).clientConfig(config.build());
    if ("HTTP+JSON".equals(System.getenv("A2A_BINDING")))
      builder.withTransport(RestTransport.class, new RestTransportConfigBuilder().addInterceptor(auth));
    else builder.withTransport(JSONRPCTransport.class, new JSONRPCTransportConfigBuilder().addInterceptor(auth));
    client = builder.build();
    context = new ClientCallContext(Map.of(), errand.headers == null ? Map.of() : errand.headers);
  }

  /** The library takes a name and a password as they stand in the header. */
  static String credential(AgentCard card, String name, String value) {
    boolean isBasic =
        card.securitySchemes().get(name) instanceof HTTPAuthSecurityScheme http
            && http.scheme().equalsIgnoreCase("basic");
    if (!isBasic || value == null) return value;
    return Base64.getEncoder().encodeToString(value.getBytes(StandardCharsets.UTF_8));
  }

  void say(String text, String contextId, String taskId) throws Exception {
    Message message = A2A.createUserTextMessage(text, contextId, taskId);
    List<BiConsumer<ClientEvent, AgentCard>> consumers = List.of((event, card) -> known.take(event));
    client.sendMessage(message, consumers, known::fail, context);
  }

  /** A stream has ended, or said what it has to say. */
  void listen() throws Exception {
    known.ended.await(12, TimeUnit.SECONDS);
    if (known.failure instanceof Exception error && !known.isSettled()) throw error;
  }

  void follow() throws Exception {
    while (known.task != null && !known.isSettled()) {
      Thread.sleep(300);
      known.take(client.getTask(new TaskQueryParams(known.task.id()), context));
    }
  }

  Map<String, Object> run(Errand errand) throws Exception {
    switch (errand.what) {
      case "send" -> {
        say(errand.text, null, null);
        follow();
      }
      case "stream" -> {
        say(errand.text, null, null);
        listen();
        follow();
      }
      case "subscribe" -> {
        List<BiConsumer<ClientEvent, AgentCard>> consumers = List.of((event, card) -> known.take(event));
        client.subscribeToTask(new TaskIdParams(errand.taskId), consumers, known::fail, context);
        listen();
      }
      case "converse" -> {
        for (String text : errand.texts) {
          String task = known.state == TaskState.TASK_STATE_INPUT_REQUIRED ? known.task.id() : null;
          String conversation = known.contextId;
          known = new Known();
          say(text, conversation, task);
          follow();
        }
      }
      case "get" -> known.take(client.getTask(new TaskQueryParams(errand.taskId, errand.historyLength), context));
      case "cancel" -> known.take(client.cancelTask(new CancelTaskParams(errand.taskId), context));
      case "list" -> {
        return Map.of("ids", pages(errand.filter));
      }
      case "extended-card" -> {
        client.getExtendedAgentCard(context);
        say(errand.text, null, null);
        follow();
      }
      default -> throw new Unsupported("the errand " + errand.what);
    }
    return known.told();
  }

  List<String> pages(Filter wanted) throws Exception {
    List<String> ids = new ArrayList<>();
    var query = ListTasksParams.builder().tenant("");
    if (wanted != null) {
      query.contextId(wanted.contextId).pageSize(wanted.pageSize);
      if (wanted.state != null) query.status(TaskState.valueOf(wanted.state));
      if (wanted.updatedAfter != null) query.statusTimestampAfter(Instant.parse(wanted.updatedAfter));
    }
    while (true) {
      var page = client.listTasks(query.build(), context);
      page.tasks().forEach(task -> ids.add(task.id()));
      if (page.nextPageToken() == null || page.nextPageToken().isEmpty()) return ids;
      query.pageToken(page.nextPageToken());
    }
  }

  /** What is told of an errand, with `status`, the exit status. */
  static JsonObject done(String url, Errand errand) {
    JsonObject told;
    int status = 0;
    try {
      if (errand.trusted != null) throw new Unsupported("signatures of cards");
      if (errand.extensions != null) throw new Unsupported("extensions");
      told = gson.toJsonTree(new Client(url, errand).run(errand)).getAsJsonObject();
    } catch (Unsupported error) {
      told = new JsonObject();
      told.addProperty("unsupported", error.getMessage());
    } catch (Throwable error) {
      Throwable cause = error;
      while (cause.getCause() != null) cause = cause.getCause();
      JsonObject about = new JsonObject();
      about.addProperty("name", cause.getClass().getSimpleName());
      about.addProperty("message", error + (cause == error ? "" : ": " + cause));
      told = new JsonObject();
      told.add("error", about);
      status = 1;
    }
    told.addProperty("status", status);
    return told;
  }

  public static void main(String[] args) throws Exception {
    // What the library logs goes elsewhere.
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    System.setOut(System.err);
    String url = args[args.length - 1];
    if (url.equals("-")) {
      var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        Line one = gson.fromJson(line, Line.class);
        JsonObject told = done(one.url, one.errand);
        told.addProperty("id", one.id);
        out.println(gson.toJson(told));
      }
      System.exit(0);
    }
    String errand = System.getenv().getOrDefault("A2A_CONTEXT", "{\"do\":\"send\",\"text\":\"Hello\"}");
    JsonObject told = done(url, gson.fromJson(errand, Errand.class));
    out.println(gson.toJson(told));
    System.exit(told.get("status").getAsInt());
  }
}
