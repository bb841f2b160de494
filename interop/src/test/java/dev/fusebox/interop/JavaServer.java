package dev.fusebox.interop;

import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.json.TypeRef;
import io.modelcontextprotocol.server.McpServer;
import io.modelcontextprotocol.server.McpServerFeatures.SyncPromptSpecification;
import io.modelcontextprotocol.server.McpServerFeatures.SyncResourceSpecification;
import io.modelcontextprotocol.server.McpServerFeatures.SyncToolSpecification;
import io.modelcontextprotocol.server.McpSyncServerExchange;
import io.modelcontextprotocol.server.transport.HttpServletStreamableServerTransportProvider;
import io.modelcontextprotocol.server.transport.StdioServerTransportProvider;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.CreateMessageRequest;
import io.modelcontextprotocol.spec.McpSchema.ElicitFormRequest;
import io.modelcontextprotocol.spec.McpSchema.GetPromptResult;
import io.modelcontextprotocol.spec.McpSchema.LoggingLevel;
import io.modelcontextprotocol.spec.McpSchema.LoggingMessageNotification;
import io.modelcontextprotocol.spec.McpSchema.ProgressNotification;
import io.modelcontextprotocol.spec.McpSchema.Prompt;
import io.modelcontextprotocol.spec.McpSchema.PromptMessage;
import io.modelcontextprotocol.spec.McpSchema.ReadResourceResult;
import io.modelcontextprotocol.spec.McpSchema.Resource;
import io.modelcontextprotocol.spec.McpSchema.Role;
import io.modelcontextprotocol.spec.McpSchema.SamplingMessage;
import io.modelcontextprotocol.spec.McpSchema.ServerCapabilities;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import io.modelcontextprotocol.spec.McpSchema.TextResourceContents;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiFunction;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.startup.Tomcat;

/// A server built with the official Java SDK: over standard input and output, or with the argument `http` over
/// Streamable HTTP on the loopback address, which it prints on its first line.
final class JavaServer {
    private static final McpJsonMapper JSON = McpJsonDefaults.getMapper();
    private static final Duration LIMIT = Duration.ofMinutes(1);

    private JavaServer() {}

    public static void main(String[] arguments) throws LifecycleException {
        if (arguments[0].equals("http")) {
            serveHttp();
        } else {
            furnish(McpServer.sync(new StdioServerTransportProvider(JSON))).build();
        }
    }

    private static void serveHttp() throws LifecycleException {
        var transport = HttpServletStreamableServerTransportProvider.builder()
                .mcpEndpoint("/mcp")
                .build();
        furnish(McpServer.sync(transport)).build();
        Tomcat tomcat = new Tomcat();
        String folder = Path.of("target", "tomcat").toAbsolutePath().toString();
        tomcat.setBaseDir(folder);
        tomcat.setPort(0);
        tomcat.getConnector().setProperty("address", "127.0.0.1");
        var context = tomcat.addContext("", folder);
        var servlet = Tomcat.addServlet(context, "mcp", transport);
        servlet.setAsyncSupported(true);
        servlet.addMapping("/*");
        tomcat.start();
        System.out.println(
                "listening on http://127.0.0.1:" + tomcat.getConnector().getLocalPort() + "/mcp");
        tomcat.getServer().await();
    }

    private static McpServer.SyncSpecification<?> furnish(McpServer.SyncSpecification<?> server) {
        return server.serverInfo("java-server", "1.0.0")
                .instructions("A server for tests.")
                .requestTimeout(LIMIT)
                .capabilities(ServerCapabilities.builder()
                        .tools(true)
                        .resources(false, true)
                        .prompts(true)
                        .logging()
                        .build())
                .tools(tools())
                .resources(new SyncResourceSpecification(
                        Resource.builder("test://text", "text").build(),
                        (exchange, asked) -> ReadResourceResult.builder(
                                        List.of(TextResourceContents.builder(asked.uri(), "Grüße 🌍")
                                                .build()))
                                .build()))
                .prompts(new SyncPromptSpecification(
                        Prompt.builder("greeting").build(),
                        (exchange, asked) -> GetPromptResult.builder(
                                        List.of(PromptMessage.builder(Role.USER, words("Hello!"))
                                                .build()))
                                .build()));
    }

    private static List<SyncToolSpecification> tools() {
        return List.of(
                tool("echo", JavaServer::echo),
                tool("sum", JavaServer::sum),
                tool("steps", JavaServer::steps),
                tool("logs", JavaServer::logs),
                tool("sample", JavaServer::sample),
                tool("ask", JavaServer::ask),
                tool("roots", JavaServer::roots),
                tool(
                        "fail",
                        (exchange, call) -> CallToolResult.builder()
                                .content(List.of(words("it is broken")))
                                .isError(true)
                                .build()),
                tool("throw", (exchange, call) -> {
                    throw new IllegalStateException("thrown");
                }));
    }

    private static SyncToolSpecification tool(
            String name, BiFunction<McpSyncServerExchange, CallToolRequest, CallToolResult> work) {
        return SyncToolSpecification.builder()
                .tool(Tool.builder(name, parsed("{\"type\":\"object\",\"properties\":{}}"))
                        .description("What it is called.")
                        .build())
                .callHandler(work)
                .build();
    }

    private static CallToolResult echo(McpSyncServerExchange exchange, CallToolRequest call) {
        return said(String.valueOf(call.arguments().get("text")));
    }

    private static CallToolResult sum(McpSyncServerExchange exchange, CallToolRequest call) {
        Number a = (Number) Objects.requireNonNull(call.arguments().get("a"));
        Number b = (Number) Objects.requireNonNull(call.arguments().get("b"));
        int sum = Math.addExact(a.intValue(), b.intValue());
        return CallToolResult.builder()
                .content(List.of(words("" + sum)))
                .structuredContent(Map.of("sum", sum))
                .build();
    }

    private static CallToolResult steps(McpSyncServerExchange exchange, CallToolRequest call) {
        Object token = call.progressToken();
        for (double step : token == null ? new double[0] : new double[] {0, 50, 100}) {
            exchange.progressNotification(
                    ProgressNotification.builder(token, step).total(100.0).build());
        }
        return said("went there");
    }

    private static CallToolResult logs(McpSyncServerExchange exchange, CallToolRequest call) {
        exchange.loggingNotification(LoggingMessageNotification.builder(LoggingLevel.ERROR, "overheard")
                .build());
        return said("logged");
    }

    private static CallToolResult sample(McpSyncServerExchange exchange, CallToolRequest call) {
        var question = SamplingMessage.builder(Role.USER, words("What is new?")).build();
        var answer = exchange.createMessage(
                CreateMessageRequest.builder(List.of(question), 100).build());
        return said(((TextContent) answer.content()).text());
    }

    private static CallToolResult ask(McpSyncServerExchange exchange, CallToolRequest call) {
        var schema = parsed("{\"type\":\"object\",\"properties\":{\"name\":{\"type\":\"string\"}}}");
        var answer = exchange.createElicitation(
                ElicitFormRequest.builder("Who are you?", schema).build());
        return said(answer.action().name());
    }

    private static CallToolResult roots(McpSyncServerExchange exchange, CallToolRequest call) {
        return said(exchange.listRoots().roots().getFirst().uri());
    }

    private static CallToolResult said(String text) {
        return CallToolResult.builder().content(List.of(words(text))).build();
    }

    private static TextContent words(String text) {
        return TextContent.builder(text).build();
    }

    /// A map that keeps its order, which those of `Map.of` do not from one process to the next.
    private static Map<String, Object> parsed(String json) {
        try {
            return JSON.readValue(json, new TypeRef<>() {});
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
