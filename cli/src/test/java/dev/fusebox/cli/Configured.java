package dev.fusebox.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.fusebox.config.ConfigFile;
import dev.fusebox.config.Configuration;
import dev.fusebox.config.GatewayClients;
import dev.fusebox.config.Overrides;
import dev.fusebox.config.ReadResult;
import dev.fusebox.fixtures.server.ScriptedServer;
import dev.fusebox.fixtures.server.ServerScript;
import dev.fusebox.gateway.CoreOptions;
import dev.fusebox.gateway.Gateway;
import dev.fusebox.gateway.GatewayConfig;
import dev.fusebox.gateway.GatewayCore;
import dev.fusebox.gateway.GatewayException;
import dev.fusebox.gateway.GatewayOptions;
import dev.fusebox.gateway.ServeMode;
import dev.fusebox.gateway.front.McpHttpFront;
import dev.fusebox.gateway.settings.FrontSettings;
import dev.fusebox.gateway.settings.HostEnvironments;
import dev.fusebox.platform.Platform;
import dev.fusebox.platform.SecretIds;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/// A gateway in this process, built from a configuration, with a client of the stateless era. Its port is free
/// unless configured. Thread-safe.
final class Configured implements AutoCloseable {
    private static final Platform PLATFORM = Platform.system();
    private static final Duration SOON = Duration.ofSeconds(30);
    private static final String META = "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
            + "\"io.modelcontextprotocol/clientCapabilities\":{}}";

    private final URI uri;
    private final IntSupplier sessions;
    private final IntSupplier processes;
    private final AutoCloseable running;

    private Configured(URI uri, IntSupplier sessions, IntSupplier processes, AutoCloseable running) {
        this.uri = uri;
        this.sessions = sessions;
        this.processes = processes;
        this.running = running;
    }

    private static Configured serving(Configuration configuration, GatewayCore gateway) throws IOException {
        McpHttpFront front =
                McpHttpFront.open(PLATFORM, FrontSettings.of(configuration), gateway.service(), SecretIds.system());
        String host = configuration.http().host().getHostAddress();
        URI uri = URI.create("http://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + front.port() + "/mcp");
        IntSupplier processes = () -> gateway.children().live().size();
        return new Configured(uri, front::sessions, processes, () -> {
            try (gateway) {
                front.close(configuration.pool().drain());
            }
        });
    }

    /// One that follows its file, as `serve` does.
    static Configured following(Platform platform, Path file) {
        try {
            Gateway gateway = Gateway.start(
                    GatewayConfig.read(platform, file, Overrides.NONE),
                    GatewayOptions.defaults().withPlatform(platform));
            IntSupplier unknown = () -> {
                throw new UnsupportedOperationException("a whole gateway does not count them");
            };
            return new Configured(gateway.address(), unknown, unknown, gateway);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (GatewayException problem) {
            throw new AssertionError(problem);
        }
    }

    /// @param server the members of the one server there is, `one`
    /// @param more members beside `mcpServers`, each with a comma in front
    static Configured of(String server, String more) {
        String http = more.contains("\"http\"") ? "" : ",\"http\":{\"port\":0}";
        return whole("{\"mcpServers\":{\"one\":{" + server + "}}" + more + http + "}");
    }

    /// The one server there is, passed through unchanged.
    ///
    /// @param server its members
    /// @param more members beside `mcpServers`, each with a comma in front
    static Configured asItIs(String server, String more) {
        return whole(
                "{\"mcpServers\":{\"one\":{" + server + "}}" + more + ",\"http\":{\"port\":0}}",
                new ServeMode(true, GatewayClients.MANY));
    }

    static Configured whole(String config) {
        return whole(config, ServeMode.TO_MANY);
    }

    private static Configured whole(String config, ServeMode serveMode) {
        try {
            Path file = Files.writeString(Files.createTempFile("config", ".json"), config);
            ReadResult readResult = ConfigFile.read(HostEnvironments.of(PLATFORM), file, proxied(config));
            Files.delete(file);
            if (!(readResult instanceof ReadResult.Usable(Configuration configuration, var warnings))) {
                throw new AssertionError(readResult.problems());
            }
            CoreOptions options = CoreOptions.of(serveMode).with(WorkerLauncher::program);
            return serving(configuration, GatewayCore.open(PLATFORM, configuration, options));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (GatewayException problem) {
            throw new AssertionError(problem);
        }
    }

    /// Tests see the servers' own tools, unless they say what they see.
    private static Overrides proxied(String config) {
        return config.contains("\"expose\"") ? Overrides.NONE : Overrides.NONE.with("--expose", "proxy");
    }

    /// The members of a server that is our own, as a process.
    static String process(ServerScript script) {
        List<String> command = ScriptedServer.stdio(script);
        JsonWriter args = new JsonWriter().beginArray();
        command.stream().skip(1).forEach(args::string);
        return "\"command\":" + JsonWriter.quoted(command.getFirst()) + ",\"args\":" + args.endArray();
    }

    /// Servers that run.
    int processes() {
        return processes.getAsInt();
    }

    int port() {
        return uri.getPort();
    }

    /// Sessions that are open.
    int sessions() {
        return sessions.getAsInt();
    }

    URI uri() {
        return uri;
    }

    // ---- A client

    /// What came, and under which status.
    record Heard(int status, String body, Map<String, List<String>> headers) {
        JsonView json() {
            String data = body.startsWith("{") ? body : body.substring(body.lastIndexOf("data:") + 5);
            return JsonView.of(data.strip());
        }
    }

    Heard post(String body, String... headers) {
        try {
            HttpURLConnection post = (HttpURLConnection) uri().toURL().openConnection();
            post.setReadTimeout((int) SOON.toMillis());
            post.setDoOutput(true);
            post.setRequestProperty("Content-Type", "application/json");
            post.setRequestProperty("Accept", "application/json, text/event-stream");
            post.setRequestProperty("Connection", "close");
            for (int i = 0; i < headers.length; i += 2) {
                post.setRequestProperty(headers[i], headers[i + 1]);
            }
            post.getOutputStream().write(body.getBytes(UTF_8));
            int status = post.getResponseCode();
            InputStream in = status < 400 ? post.getInputStream() : post.getErrorStream();
            return new Heard(status, in == null ? "" : new String(in.readAllBytes(), UTF_8), post.getHeaderFields());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Begins a session; gives its id.
    String hello() {
        return initialize().headers().entrySet().stream()
                .filter(header -> "mcp-session-id".equalsIgnoreCase(header.getKey()))
                .findFirst()
                .orElseThrow()
                .getValue()
                .getFirst();
    }

    /// The first request of a session.
    Heard initialize() {
        String initialize = "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":"
                + "\"2025-11-25\",\"capabilities\":{},\"clientInfo\":{\"name\":\"test\",\"version\":\"1\"}}}";
        return post(initialize);
    }

    JsonView ask(String method, String members, String... headers) {
        return askAs("{}", method, members, headers);
    }

    /// Asks as a client with other capabilities.
    JsonView askAs(String capabilities, String method, String members, String... headers) {
        String body = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"" + method + "\",\"params\":{"
                + META.replace("{}", capabilities) + members + "}}";
        String[] all = new String[headers.length + 4];
        System.arraycopy(headers, 0, all, 4, headers.length);
        System.arraycopy(new String[] {"Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", method}, 0, all, 0, 4);
        return post(body, all).json();
    }

    /// Calls a tool of the one server there is.
    JsonView call(String tool, String arguments) {
        return callAt("one", tool, arguments);
    }

    private JsonView callAt(String server, String tool, String arguments) {
        String name = server + "__" + tool;
        return ask("tools/call", ",\"name\":\"" + name + "\",\"arguments\":" + arguments, "Mcp-Name", name);
    }

    /// The response to a call in a session of its own.
    String bodyInSession(String tool, String arguments) {
        String call = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"one__" + tool
                + "\",\"arguments\":" + arguments + "}}";
        return post(call, "Mcp-Session-Id", hello()).body();
    }

    /// The code of a call that fails; `done` if it does not.
    String code(String tool, String arguments) {
        return codeAt("one", tool, arguments);
    }

    /// The same of a call to one of several servers.
    String codeAt(String server, String tool, String arguments) {
        JsonView code = callAt(server, tool, arguments).path("result", "_meta", "fusebox/error", "code");
        return code == null ? "done" : Objects.requireNonNull(code.string());
    }

    /// What a tool says.
    String said(String tool, String arguments) {
        JsonView content = Objects.requireNonNull(call(tool, arguments).path("result", "content"));
        return Objects.requireNonNull(content.elements().getFirst().string("text"));
    }

    List<String> tools() {
        JsonView tools = Objects.requireNonNull(ask("tools/list", "").path("result", "tools"));
        return tools.elements().stream()
                .map(tool -> Objects.requireNonNull(tool.string("name")))
                .toList();
    }

    /// How long a call that is refused is told to wait.
    long retryAfterMs(String tool) {
        @Nullable JsonView wait = call(tool, "{}").path("result", "_meta", "fusebox/error", "retryAfterMs");
        return wait == null ? 0 : Long.parseLong(wait.json());
    }

    /// How many calls are made before one is refused with this code; this many if none is.
    int callsBefore(String code, String tool, int most) {
        for (int calls = 0; calls < most; calls++) {
            if (code(tool, "{}").equals(code)) {
                return calls;
            }
        }
        return most;
    }

    /// How long it takes.
    static Duration time(Runnable what) {
        long begun = PLATFORM.ticker().nanos();
        what.run();
        return Duration.ofNanos(PLATFORM.ticker().nanos() - begun);
    }

    /// Calls under way are given as long as the configuration says.
    @Override
    public void close() {
        try {
            running.close();
        } catch (Exception stopped) {
            throw new AssertionError(stopped);
        }
    }
}
