package dev.fusebox.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.fusebox.protocol.JsonView;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/// A running `serve` as a separate process with one front end, and clients of both eras. Thread-safe; requests
/// block until they are answered. Closing stops the process and its servers.
final class WholeGateway implements AutoCloseable {
    private static final String META = "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
            + "\"io.modelcontextprotocol/clientInfo\":{\"name\":\"test\",\"version\":\"1\"},"
            + "\"io.modelcontextprotocol/clientCapabilities\":{}}";
    private static final String HELLO = "\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},"
            + "\"clientInfo\":{\"name\":\"test\",\"version\":\"1\"}";
    private static final String SERVING = "serving on ";

    private final Process process;
    private final AtomicLong last = new AtomicLong();
    private final Map<Long, CompletableFuture<JsonView>> asked = new ConcurrentHashMap<>();
    private final CompletableFuture<URI> uri = new CompletableFuture<>();
    private final StringBuilder log = new StringBuilder();

    /// Requests that were sent, and their answers.
    interface Client {
        /// Sends a request and gives its answer.
        ///
        /// @param members of the parameters, without braces
        JsonView ask(String method, String members);

        default JsonView call(String tool, String arguments) {
            return ask("tools/call", "\"name\":\"" + tool + "\",\"arguments\":" + arguments);
        }
    }

    private WholeGateway(Process process) {
        this.process = process;
    }

    static WholeGateway start(Path folder, String configuration, String transport) {
        try {
            Path file = Files.writeString(Files.createTempFile(folder, "config", ".json"), configuration);
            return start(file, transport, Map.of());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// @param variables added to its environment
    static WholeGateway start(Path configuration, String transport, Map<String, String> variables) {
        try {
            List<String> command = new ArrayList<>(Launched.command("serve", "--config", configuration.toString()));
            command.addAll(List.of("--expose", "proxy", "--transport", transport));
            ProcessBuilder builder = new ProcessBuilder(command);
            builder.environment().putAll(variables);
            WholeGateway gateway = new WholeGateway(builder.start());
            Thread.ofVirtual().start(gateway::readErrors);
            Thread.ofVirtual().start(gateway::readAnswers);
            return gateway;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void readErrors() {
        process.errorReader(UTF_8).lines().forEach(line -> {
            write(line);
            int at = line.indexOf(SERVING);
            if (at >= 0) {
                uri.complete(URI.create(line.substring(at + SERVING.length()).strip()));
            }
        });
        uri.completeExceptionally(new IOException("the gateway has ended"));
    }

    private void readAnswers() {
        try (BufferedReader lines = process.inputReader(UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                JsonView message = JsonView.of(line);
                JsonView id = message.member("id");
                CompletableFuture<JsonView> request = id == null ? null : asked.remove(Long.parseLong(id.json()));
                if (request != null) {
                    request.complete(message);
                }
            }
        } catch (IOException closed) {
            // The gateway has ended.
        } finally {
            var ended = new IOException("the gateway has ended");
            asked.values().forEach(request -> request.completeExceptionally(ended));
        }
    }

    /// What it has logged so far.
    private synchronized void write(String line) {
        log.append(line).append('\n');
    }

    synchronized String log() {
        return log.toString();
    }

    // ---- Clients

    /// The client on standard input and output.
    Client piped(boolean inSession) {
        Client client = (method, members) -> {
            long id = last.incrementAndGet();
            CompletableFuture<JsonView> answer = new CompletableFuture<>();
            asked.put(id, answer);
            say(request(id, method, inSession ? members : stateless(members)));
            return answer.join();
        };
        if (inSession) {
            client.ask("initialize", HELLO);
            say("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
        }
        return client;
    }

    /// A client with a connection for each request.
    Client web(boolean inSession) {
        if (!inSession) {
            return (method, members) -> {
                JsonView name = JsonView.of("{" + members + "}").member("name");
                String tool = name == null ? "" : String.valueOf(name.string());
                String body = request(last.incrementAndGet(), method, stateless(members));
                return post(body, "Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", method, "Mcp-Name", tool)
                        .answer();
            };
        }
        String session = post(request(0, "initialize", HELLO)).session();
        return (method, members) -> post(request(last.incrementAndGet(), method, members), "Mcp-Session-Id", session)
                .answer();
    }

    private static String stateless(String members) {
        return members.isEmpty() ? META : META + "," + members;
    }

    private static String request(long id, String method, String params) {
        return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"" + method + "\",\"params\":{" + params + "}}";
    }

    private void say(String frame) {
        try {
            OutputStream out = process.getOutputStream();
            synchronized (out) {
                out.write((frame + "\n").getBytes(UTF_8));
                out.flush();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private record Reply(String session, String body) {
        JsonView answer() {
            return RunningGateway.read(body);
        }
    }

    private Reply post(String body, String... headers) {
        try {
            HttpURLConnection post = (HttpURLConnection) uri.join().toURL().openConnection();
            post.setDoOutput(true);
            post.setRequestProperty("Content-Type", "application/json");
            post.setRequestProperty("Accept", "application/json, text/event-stream");
            post.setRequestProperty("Connection", "close");
            for (int i = 0; i < headers.length; i += 2) {
                post.setRequestProperty(headers[i], headers[i + 1]);
            }
            post.getOutputStream().write(body.getBytes(UTF_8));
            try (InputStream in = post.getResponseCode() < 400 ? post.getInputStream() : post.getErrorStream()) {
                String session = String.valueOf(post.getHeaderField("Mcp-Session-Id"));
                return new Reply(session, new String(in.readAllBytes(), UTF_8));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }
}
