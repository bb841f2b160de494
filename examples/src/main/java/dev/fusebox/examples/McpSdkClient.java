package dev.fusebox.examples;

import dev.fusebox.breaker.BreakerEvent;
import dev.fusebox.breaker.BreakerName;
import dev.fusebox.breaker.BreakerPolicy;
import dev.fusebox.breaker.Breakers;
import dev.fusebox.breaker.Bulkhead;
import dev.fusebox.breaker.CallRejectedException;
import dev.fusebox.breaker.CircuitBreaker;
import dev.fusebox.breaker.Judge;
import dev.fusebox.breaker.State;
import dev.fusebox.breaker.Surroundings;
import dev.fusebox.breaker.TripRule;
import dev.fusebox.breaker.Verdict;
import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.ServerParameters;
import io.modelcontextprotocol.client.transport.StdioClientTransport;
import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A client of one MCP server with the official Java SDK (2.1.0, stdio), with a breaker for the server and one for
/// each tool.
///
/// Three consecutive calls without an answer, of whichever tools, open the server's breaker. Five calls of one
/// tool within five minutes without an answer, while other tools are answered, open that tool's breaker alone. A
/// JSON-RPC error and a result with `isError` are answers: the server is alive.
///
/// One call at a time, the others queue: two threads that send at the same moment make the SDK's stdio transport
/// fail, which would look like a broken server. Thread-safe. [#call] blocks until the answer, or for the SDK's
/// request timeout, and once more if it has to connect first; before that it queues for at most a minute.
public final class McpSdkClient implements AutoCloseable {
    private static final BreakerPolicy SERVER_POLICY = BreakerPolicy.defaults().with(new TripRule.Consecutive(3));
    private static final BreakerPolicy TOOL_POLICY =
            BreakerPolicy.defaults().with(TripRule.SlidingWindow.of(Duration.ofMinutes(5), 5, 5));

    private static final int MAY_QUEUE = 100;
    private static final Duration LONGEST_QUEUE = Duration.ofMinutes(1);

    private final Supplier<McpSyncClient> connector;
    private final Breakers breakers;
    private final CircuitBreaker serverBreaker;
    private final Bulkhead oneAtATime;
    private final AtomicReference<@Nullable McpSyncClient> connection = new AtomicReference<>();
    private volatile boolean closed;

    /// @param connector gives a client that is connected and initialized, such as [#overStdio]
    public McpSdkClient(String server, Supplier<McpSyncClient> connector, Surroundings surroundings) {
        this.connector = connector;
        this.breakers = Breakers.settings()
                .judge(Judge.ofThrowables(McpSdkClient::verdictOn))
                .surroundings(surroundings)
                .build();
        this.oneAtATime = new Bulkhead(1, MAY_QUEUE, surroundings);
        this.serverBreaker = breakers.breaker(server, SERVER_POLICY);
        breakers.on(BreakerEvent.StateChange.class, this::disconnectFromBrokenServer);
    }

    /// Calls a tool, the first argument, of the server that the further arguments start.
    public static void main(String[] args) throws Exception {
        run(System.out, args[0], Arrays.asList(args).subList(1, args.length));
    }

    static void run(PrintStream out, String tool, List<String> command) throws Exception {
        ServerParameters server = ServerParameters.builder(command.get(0))
                .args(command.subList(1, command.size()))
                .build();
        Supplier<McpSyncClient> connector = () -> overStdio(server, Duration.ofSeconds(20));
        try (var client = new McpSdkClient("server", connector, Surroundings.system())) {
            out.println(client.call(CallToolRequest.builder(tool).build()).content());
        }
    }

    public CallToolResult call(CallToolRequest request) throws Exception {
        Bulkhead.Entry entry = oneAtATime.enter(LONGEST_QUEUE);
        if (!(entry instanceof Bulkhead.Slot slot)) {
            throw new IOException("no free slot in the queue: " + entry);
        }
        try (slot) {
            return callUnderBreakers(request);
        }
    }

    // region: mcp-client
    private CallToolResult callUnderBreakers(CallToolRequest request) throws Exception {
        BreakerName toolName = serverBreaker.name().tool(request.name());
        CircuitBreaker toolBreaker = breakers.breaker(toolName, TOOL_POLICY);
        return serverBreaker.call(() -> {
            McpSyncClient client = connected();
            return toolBreaker.call(() -> client.callTool(request));
        });
    }

    static Verdict verdictOn(Throwable thrown) {
        if (thrown instanceof McpError) {
            return Verdict.success(); // a JSON-RPC error: the server answered
        }
        if (thrown instanceof CallRejectedException || thrown.getCause() instanceof InterruptedException) {
            return Verdict.neither(); // rejected by the tool's breaker, or our own thread was stopped
        }
        boolean silent = thrown.getCause() instanceof TimeoutException;
        return Verdict.failure(silent ? "timeout" : "offline", thrown);
    }
    // end: mcp-client

    /// Starts a server as a child process and shakes hands with it.
    ///
    /// The SDK does not notice when the child dies: calls would wait for the whole timeout. So a thread waits for
    /// its exit and closes the client, which ends them at once.
    static McpSyncClient overStdio(ServerParameters command, Duration timeout) {
        var transport = new StdioClientTransport(command, McpJsonDefaults.getMapper());
        McpSyncClient client = McpClient.sync(transport)
                .requestTimeout(timeout)
                .initializationTimeout(timeout)
                .build();
        try {
            client.initialize();
        } catch (RuntimeException failed) {
            client.close();
            throw failed;
        }
        Thread watcher = new Thread(
                () -> {
                    transport.awaitForExit();
                    client.close();
                },
                "exit-of-mcp-server");
        watcher.setDaemon(true);
        watcher.start();
        return client;
    }

    /// A client that was closed cannot connect again, so that a new one has to take its place.
    private McpSyncClient connected() {
        McpSyncClient known = connection.get();
        if (known != null && known.isInitialized()) {
            return known;
        }
        McpSyncClient fresh = connector.get();
        connection.set(fresh);
        if (closed) {
            disconnect();
        }
        return fresh;
    }

    /// The probe after the cooldown opens a new connection: a hung server stays hung.
    private void disconnectFromBrokenServer(BreakerEvent.StateChange change) {
        if (change.to() == State.OPEN && change.name().equals(serverBreaker.name())) {
            disconnect();
        }
    }

    private void disconnect() {
        McpSyncClient known = connection.getAndSet(null);
        if (known != null) {
            known.close();
        }
    }

    Breakers breakers() {
        return breakers;
    }

    @Override
    public void close() {
        closed = true;
        breakers.close();
        disconnect();
    }
}
