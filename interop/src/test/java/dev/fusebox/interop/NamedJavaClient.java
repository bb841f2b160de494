package dev.fusebox.interop;

import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.ServerParameters;
import io.modelcontextprotocol.client.transport.StdioClientTransport;
import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;

/// A client of the official Java SDK at a shared gateway, with a name that its answers to questions contain; the
/// counterpart of `named-client.mjs`. The opener closes it. Calls block until they are answered.
final class NamedJavaClient implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofMinutes(1);

    private final Queue<String> asked = new ConcurrentLinkedQueue<>();
    private final McpSyncClient client;

    NamedJavaClient(String name, SharedLauncher launcher) {
        List<String> command = launcher.command();
        ServerParameters connector = ServerParameters.builder(command.getFirst())
                .args(command.subList(1, command.size()))
                .env(launcher.variables())
                .build();
        this.client = McpClient.sync(new StdioClientTransport(connector, McpJsonDefaults.getMapper()))
                .requestTimeout(LIMIT)
                .initializationTimeout(LIMIT)
                .capabilities(McpSchema.ClientCapabilities.builder()
                        .sampling()
                        .elicitation()
                        .roots(true)
                        .build())
                .roots(McpSchema.Root.builder("file:///" + name).build())
                .sampling(question -> {
                    String text = ((McpSchema.TextContent)
                                    question.messages().getFirst().content())
                            .text();
                    asked.add(text);
                    return McpSchema.CreateMessageResult.builder(
                                    McpSchema.Role.ASSISTANT, name + " heard " + text, "none")
                            .build();
                })
                .elicitation(question -> {
                    asked.add(question.message());
                    return McpSchema.ElicitResult.builder(McpSchema.ElicitResult.Action.ACCEPT)
                            .content(Map.of("response", name + " read " + question.message()))
                            .build();
                })
                .build();
    }

    /// The names of all tools, after the handshake.
    List<String> hello() {
        client.initialize();
        return client.listTools().tools().stream().map(McpSchema.Tool::name).toList();
    }

    /// The text of a result, or of the error.
    String said(String tool, Map<String, Object> arguments) {
        try {
            return client
                    .callTool(CallToolRequest.builder(tool).arguments(arguments).build())
                    .content()
                    .stream()
                    .map(content -> content instanceof McpSchema.TextContent text ? text.text() : "")
                    .collect(Collectors.joining("\n"));
        } catch (McpError error) {
            return String.valueOf(error.getMessage());
        }
    }

    /// The texts of all questions that have reached it.
    List<String> asked() {
        return List.copyOf(asked);
    }

    @Override
    public void close() {
        client.closeGracefully();
    }
}
