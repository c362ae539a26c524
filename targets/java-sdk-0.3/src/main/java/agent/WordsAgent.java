package agent;

import io.a2a.server.PublicAgentCard;
import io.a2a.server.agentexecution.AgentExecutor;
import io.a2a.server.agentexecution.RequestContext;
import io.a2a.server.events.EventQueue;
import io.a2a.server.tasks.TaskUpdater;
import io.a2a.spec.*;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import java.util.*;

/** An agent of a2a-java 0.3.3.Final as its users write one: JSON-RPC at / and HTTP+JSON at /v1. */
@ApplicationScoped
public class WordsAgent {
    static final String BASE = "http://127.0.0.1:" + System.getenv().getOrDefault("PORT", "4141");

    @Produces @PublicAgentCard
    public AgentCard card() {
        List<String> modes = List.of("text/plain", "application/json", "image/png");
        return new AgentCard.Builder().name("WordsAgent Java").description("An agent on a2a-java 0.3.3.Final").version("1.0.0").protocolVersion("0.3.0")
            .url(BASE + "/").preferredTransport("JSONRPC")
            .additionalInterfaces(List.of(new AgentInterface("JSONRPC", BASE + "/"), new AgentInterface("HTTP+JSON", BASE)))
            .capabilities(new AgentCapabilities.Builder().streaming(true).pushNotifications(true).stateTransitionHistory(false).build())
            .defaultInputModes(modes).defaultOutputModes(modes)
            .skills(List.of(new AgentSkill.Builder().id("echo").name("Echo").description("Says it again").tags(List.of("echo")).build())).build();
    }

    @Produces
    public AgentExecutor executor() {
        return new AgentExecutor() {
            @Override
            public void execute(RequestContext context, EventQueue queue) throws JSONRPCError {
                String said = context.getUserInput("\n");
                String text = said.toLowerCase();
                if (text.contains("message") && context.getTask() == null) {
                    queue.enqueueEvent(new Message.Builder().role(Message.Role.AGENT).messageId(UUID.randomUUID().toString())
                        .contextId(context.getContextId()).parts(List.of(new TextPart("you said: " + said))).build());
                    return;
                }
                TaskUpdater up = new TaskUpdater(context, queue);
                if (context.getTask() == null) up.submit();
                if (text.contains("input")) { up.requiresInput(say(up, "What else?"), true); return; }
                if (text.contains("credentials")) { up.requiresAuth(say(up, "Sign in, please."), true); return; }
                if (text.contains("reject")) { up.reject(say(up, "I will not do that.")); return; }
                up.startWork();
                if (text.contains("throw")) throw new IllegalStateException("boom");
                if (text.contains("fail")) { up.fail(say(up, "It failed.")); return; }
                try {
                    if (text.contains("slow")) {
                        for (int n = 0; n < 8; n++) { Thread.sleep(500); up.startWork(say(up, "step " + n)); }
                    }
                    if (text.contains("stream")) {
                        for (int n = 0; n < 4; n++) {
                            up.addArtifact(List.of(new TextPart("chunk " + n + " ")), "streamed", "streamed", null, n > 0, n == 3);
                            Thread.sleep(100);
                        }
                        up.complete();
                        return;
                    }
                } catch (InterruptedException e) { Thread.currentThread().interrupt(); return; }
                Part<?> part = text.contains("files") ? new FilePart(new FileWithBytes("image/png", "dot.png", Base64.getEncoder().encodeToString("bytes".getBytes())))
                    : text.contains("link") ? new FilePart(new FileWithUri("image/png", "dot.png", "https://example.com/dot.png"))
                    : text.contains("data") ? new DataPart(Map.of("report", "weekly", "n", List.of(1, 2.5)))
                    : new TextPart("echo: " + said);
                up.addArtifact(List.of(part), null, "result", null);
                up.complete();
            }

            @Override
            public void cancel(RequestContext context, EventQueue queue) throws JSONRPCError {
                Task task = context.getTask();
                if (task.getStatus().state().isFinal()) throw new TaskNotCancelableError();
                new TaskUpdater(context, queue).cancel();
            }
        };
    }

    static Message say(TaskUpdater up, String words) { return up.newAgentMessage(List.of(new TextPart(words)), null); }
}
