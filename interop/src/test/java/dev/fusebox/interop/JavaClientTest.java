package dev.fusebox.interop;

import static org.assertj.core.api.Assertions.assertThat;

import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.HttpClientSseClientTransport;
import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import io.modelcontextprotocol.client.transport.ServerParameters;
import io.modelcontextprotocol.client.transport.StdioClientTransport;
import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.spec.McpClientTransport;
import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The official Java client observes the same through the gateway as without it.
///
/// Over five seconds: the official client and the gateway start anew for each way.
@Tag("interop")
@Timeout(300)
class JavaClientTest {
    private static final Duration LIMIT = Duration.ofMinutes(1);

    @TempDir
    private Path folder = Path.of("");

    @Test
    void java_client_sees_same_over_stdio() throws Exception {
        Served fixture = Served.fixture();

        assertThat(travel(overStdio(Gateway.command(fixture.configuration(folder)))))
                .isEqualTo(travel(overStdio(fixture.command())))
                .satisfies(JavaClientTest::assertComplete);
    }

    @Test
    void java_client_sees_same_over_http() throws Exception {
        Served fixture = Served.fixture();
        try (Gateway gateway = Gateway.overHttp(fixture.configuration(folder))) {
            McpClientTransport http = HttpClientStreamableHttpTransport.builder(gateway.base())
                    .endpoint("/mcp")
                    .build();

            assertThat(travel(http))
                    .isEqualTo(travel(overStdio(fixture.command())))
                    .satisfies(JavaClientTest::assertComplete);
        }
    }

    @Test
    @SuppressWarnings("deprecation") // as the transport itself is
    void java_client_sees_same_over_sse() throws Exception {
        Served fixture = Served.fixture();
        try (Gateway gateway = Gateway.overHttp(fixture.configuration(folder))) {
            McpClientTransport sse = HttpClientSseClientTransport.builder(gateway.base())
                    .sseEndpoint("/sse")
                    .build();

            Map<String, Object> direct = travel(overStdio(fixture.command()));
            Map<String, Object> through = travel(sse);

            // This transport of the client offers no other.
            assertThat(through.put("revision", direct.get("revision"))).isEqualTo("2024-11-05");
            assertThat(through).isEqualTo(direct).satisfies(JavaClientTest::assertComplete);
        }
    }

    private static McpClientTransport overStdio(List<String> command) {
        ServerParameters server = ServerParameters.builder(command.getFirst())
                .args(command.subList(1, command.size()))
                .build();
        return new StdioClientTransport(server, McpJsonDefaults.getMapper());
    }

    private static void assertComplete(Map<String, Object> seen) {
        assertThat(seen.get("instructions")).isEqualTo("A server for tests.");
        assertThat(seen.get("tools")).asString().contains("name=echo", "name=test_simple_text");
        assertThat(seen.get("sum")).asString().contains("structuredContent={sum=42}");
        assertThat(seen.get("error")).asString().contains("there is no tool");
        assertThat(seen.get("progress")).isEqualTo(List.of("0.0", "100.0", "50.0"));
        assertThat(seen.get("sampling")).asString().contains("LLM response: nothing");
        assertThat(seen.get("elicitation")).asString().contains("action=accept");
        assertThat(seen.get("roots")).asString().contains("file:///somewhere");
        assertThat(seen.get("logs")).asString().contains("Tool execution completed");
        assertThat(seen.get("change")).asString().contains("tool-of-change");
    }

    /// Everything once, by what was asked for.
    private static Map<String, Object> travel(McpClientTransport transport) throws InterruptedException {
        BlockingQueue<Double> progress = new LinkedBlockingQueue<>();
        BlockingQueue<String> logs = new LinkedBlockingQueue<>();
        BlockingQueue<Object> changes = new LinkedBlockingQueue<>();
        McpSyncClient client = McpClient.sync(transport)
                .requestTimeout(LIMIT)
                .initializationTimeout(LIMIT)
                .capabilities(McpSchema.ClientCapabilities.builder()
                        .sampling()
                        .elicitation()
                        .roots(true)
                        .build())
                .roots(McpSchema.Root.builder("file:///somewhere").build())
                .sampling(asked -> McpSchema.CreateMessageResult.builder(McpSchema.Role.ASSISTANT, "nothing", "none")
                        .build())
                .elicitation(asked -> McpSchema.ElicitResult.builder(McpSchema.ElicitResult.Action.ACCEPT)
                        .content(Map.of("response", "yes"))
                        .build())
                .progressConsumer(step -> progress.add(step.progress()))
                .loggingConsumer(log -> logs.add(log.data()))
                .toolsChangeConsumer(changes::add)
                .build();
        try {
            Map<String, Object> seen = new LinkedHashMap<>();
            McpSchema.InitializeResult welcome = client.initialize();
            seen.put("revision", welcome.protocolVersion());
            seen.put("capabilities", welcome.capabilities());
            seen.put("server", welcome.serverInfo());
            seen.put("instructions", welcome.instructions());
            lookAround(client, seen);
            callTools(client, seen);
            seen.put("progress", take(progress, 3));
            client.setLoggingLevel(McpSchema.LoggingLevel.DEBUG);
            seen.put("logging", client.callTool(call("test_tool_with_logging", Map.of())));
            seen.put("logs", take(logs, 3));
            seen.put("changed", client.callTool(call("test_trigger_tool_change", Map.of())));
            seen.put("change", take(changes, 1));
            return seen;
        } finally {
            client.closeGracefully();
        }
    }

    private static void lookAround(McpSyncClient client, Map<String, Object> seen) {
        seen.put("ping", client.ping());
        seen.put("tools", client.listTools());
        seen.put("resources", client.listResources());
        seen.put("templates", client.listResourceTemplates());
        seen.put(
                "text",
                client.readResource(McpSchema.ReadResourceRequest.builder("test://static-text")
                        .build()));
        seen.put("prompts", client.listPrompts());
        seen.put(
                "prompt",
                client.getPrompt(McpSchema.GetPromptRequest.builder("test_prompt_with_arguments")
                        .arguments(Map.of("arg1", "a", "arg2", "b"))
                        .build()));
    }

    private static void callTools(McpSyncClient client, Map<String, Object> seen) {
        seen.put("sum", client.callTool(call("add", Map.of("a", 2, "b", 40))));
        seen.put("failure", client.callTool(call("fail", Map.of())));
        try {
            seen.put("error", client.callTool(call("there-is-no-such-tool", Map.of())));
        } catch (McpError error) {
            seen.put("error", String.valueOf(error.getJsonRpcError()));
        }
        seen.put("mixture", client.callTool(call("test_multiple_content_types", Map.of())));
        seen.put(
                "progressing",
                client.callTool(CallToolRequest.builder("test_tool_with_progress")
                        .progressToken("my token")
                        .build()));
        seen.put("sampling", client.callTool(call("test_sampling", Map.of("prompt", "What is new?"))));
        seen.put("elicitation", client.callTool(call("test_elicitation", Map.of("message", "Really?"))));
        seen.put("roots", client.callTool(call("roots", Map.of())));
    }

    private static CallToolRequest call(String tool, Map<String, Object> arguments) {
        return CallToolRequest.builder(tool).arguments(arguments).build();
    }

    /// Sorted as text: this client hands notifications on in any order.
    private static List<String> take(BlockingQueue<?> from, int count) throws InterruptedException {
        List<String> taken = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Object next = from.poll(LIMIT.toSeconds(), TimeUnit.SECONDS);
            assertThat(next).as("number " + i).isNotNull();
            taken.add(String.valueOf(next));
        }
        return taken.stream().sorted().toList();
    }
}
