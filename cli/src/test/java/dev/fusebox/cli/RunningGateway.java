package dev.fusebox.cli;

import static dev.fusebox.testkit.Eventually.eventually;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.platform.Platform;
import dev.fusebox.platform.ProcessEntry;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.FutureTask;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// A running `serve` over HTTP as a separate process, before small servers that report their identity and record
/// each start in a file. Thread-safe. Closing kills the gateway with SIGKILL, if it still runs, and all remaining
/// processes.
final class RunningGateway implements AutoCloseable {
    private static final Platform PLATFORM = Platform.system();
    private static final String MARK = "FUSEBOX_TEST_RUNNING";
    private static final Pattern SERVING = Pattern.compile("serving on (http://\\S+)");
    private static final String META = "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
            + "\"io.modelcontextprotocol/clientCapabilities\":{}}";

    /// `who` says version and process, `slow` the same after three seconds, `hang` nothing, `die` waits for a file
    /// and exits. `held` answers so many seconds after a file has come, as it says. With BIG in its environment,
    /// `hang` answers that many bytes. With FORK, a process of its own session stays behind. One thing at a time.
    private static final String SERVER = """
            echo "$VERSION" >>"$1.starts"
            [ -n "$DEAF" ] && trap '' TERM
            [ -n "$FORK" ] && (setsid sleep 1000 <&- >&- 2>&- &)
            tool() { printf '{"name":"%s","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}}' "$1"; }
            while IFS= read -r line; do
              case $line in *'"id":'*) ;; *) continue ;; esac
              rest=${line#*'"id":'}
              who="{\\"content\\":[{\\"type\\":\\"text\\",\\"text\\":\\"$VERSION $$\\"}]}"
              case $line in
                *'"initialize"'*)
                  [ -n "$MUTE" ] && continue
                  result='{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},'
                  result=$result'"serverInfo":{"name":"s","version":"1"}}' ;;
                *'"tools/list"'*)
                  result="{\\"tools\\":[$(tool who),$(tool slow),$(tool held),$(tool hang),$(tool die)]}" ;;
                *'"hang"'*)
                  : >"$1.hang"
                  [ -z "$BIG" ] && continue
                  text=$(head -c "$BIG" /dev/zero | tr '\\0' x)
                  result="{\\"content\\":[{\\"type\\":\\"text\\",\\"text\\":\\"$text\\"}]}" ;;
                *'"die"'*) : >"$1.dying"; while [ ! -e "$1.die" ]; do sleep 0.02; done; exit 3 ;;
                *'"slow"'*) : >"$1.slow"; sleep 3; result=$who ;;
                *'"held"'*)
                  : >"$1.held"; while [ ! -s "$1.go" ]; do sleep 0.02; done; sleep "$(cat "$1.go")"; result=$who ;;
                *) result=$who ;;
              esac
              printf '{"jsonrpc":"2.0","id":%s,"result":%s}\\n' "${rest%%[,\\}]*}" "$result"
            done
            [ -n "$DEAF" ] && sleep 1000
            """;

    private final Path folder;
    private final Path errors;
    private final Path script;
    private final Map<String, String> servers = new LinkedHashMap<>();
    private final Process process;
    private final URI uri;
    private String more = ",\"http\":{\"port\":0}";
    private Duration timeout = Duration.ofMinutes(1);

    private RunningGateway(Path folder, List<String> start, List<String> servers) throws IOException {
        this.folder = folder;
        this.errors = Files.createTempFile(folder, "err", "");
        this.script = Files.writeString(folder.resolve("server.sh"), SERVER);
        servers.forEach(name -> server(name, "1"));
        save();
        List<String> command = new ArrayList<>(start);
        command.addAll(List.of("serve", "--config", config().toString()));
        command.addAll(List.of("--expose", "proxy", "--transport", "http"));
        this.process =
                new ProcessBuilder(command).redirectError(errors.toFile()).start();
        this.uri = URI.create(said(SERVING));
    }

    static RunningGateway before(Path folder, String... servers) throws IOException {
        return new RunningGateway(folder, Launched.command(), List.of(servers));
    }

    /// The same, started by a command that ends with starting what follows it. Several of one folder know the same
    /// servers, if they are given the same.
    static RunningGateway by(List<String> wrapper, Path folder, String... servers) throws IOException {
        List<String> start = new ArrayList<>(wrapper);
        start.addAll(Launched.command());
        return new RunningGateway(folder, start, List.of(servers));
    }

    /// Started by a command that has changed how signals are handled.
    static RunningGateway withSignalsOf(List<String> wrapper, Path folder, String... servers) throws IOException {
        List<String> start = new ArrayList<>(wrapper);
        start.addAll(Launched.inheriting());
        return new RunningGateway(folder, start, List.of(servers));
    }

    /// The same as [#by], from copies that every user may read.
    static RunningGateway copiedBy(List<String> wrapper, Path folder, String... servers) throws IOException {
        List<String> start = new ArrayList<>(wrapper);
        start.addAll(Launched.copied(folder.resolve("copies")));
        return new RunningGateway(folder, start, List.of(servers));
    }

    /// What runs `serve` with these options.
    static List<String> command(String... options) {
        return Launched.command(
                Stream.concat(Stream.of("serve"), Stream.of(options)).toArray(String[]::new));
    }

    // ---- Its configuration

    Path config() {
        return folder.resolve("config.json");
    }

    /// @param more variables, each as `NAME=VALUE`
    RunningGateway server(String name, String version, String... more) {
        JsonWriter server = new JsonWriter().beginObject().name("command").string("/bin/sh");
        server.name("args")
                .beginArray()
                .string(script.toString())
                .string(folder.resolve(name).toString())
                .endArray();
        server.name("era")
                .string("legacy")
                .name("replay")
                .beginObject()
                .name("die")
                .string("always")
                .endObject();
        server.name("timeoutMs").number(timeout.toMillis());
        server.name("env")
                .beginObject()
                .name("VERSION")
                .string(version)
                .name(MARK)
                .string(folder.toString());
        for (String variable : more) {
            int is = variable.indexOf('=');
            server.name(variable.substring(0, is)).string(variable.substring(is + 1));
        }
        servers.put(name, server.endObject().endObject().toString());
        return this;
    }

    /// One that is reached over HTTP.
    RunningGateway remote(String name, URI at) {
        JsonWriter server = new JsonWriter().beginObject().name("url").string(at.toString());
        servers.put(
                name,
                server.name("timeoutMs").number(timeout.toMillis()).endObject().toString());
        return this;
    }

    /// Servers that are described from now on have so long for a call.
    RunningGateway within(Duration limit) {
        timeout = limit;
        return this;
    }

    RunningGateway without(String name) {
        servers.remove(name);
        return this;
    }

    /// @param members beside the servers, each with a comma in front
    RunningGateway with(String members) {
        more = members;
        return this;
    }

    String text() {
        return servers.entrySet().stream()
                .map(server -> "\"" + server.getKey() + "\":" + server.getValue())
                .collect(Collectors.joining(",\n", "{\"mcpServers\":{\n", "}" + more + "}"));
    }

    /// Renames it into its place.
    void save() {
        save(text());
    }

    void save(String text) {
        try {
            Path next = Files.writeString(folder.resolve("config.json~"), text);
            Files.move(next, config(), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    // ---- What is seen of it

    Process process() {
        return process;
    }

    String errorText() {
        try {
            return Files.readString(errors);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Waits for something in its log; gives what the first group holds.
    String said(Pattern what) {
        eventually("the log shows " + what, () -> assertThat(errorText()).containsPattern(what));
        Matcher matcher = what.matcher(errorText());
        assertThat(matcher.find()).isTrue();
        return matcher.group(matcher.groupCount());
    }

    void eventuallySays(String what) {
        eventually(
                "the log shows '%s'".formatted(what),
                () -> assertThat(errorText()).contains(what));
    }

    /// How often a server was started, and as which version.
    List<String> starts(String name) {
        try {
            Path file = folder.resolve(name + ".starts");
            return Files.exists(file) ? Files.readAllLines(file) : List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// A file beside those of a server: it appears when the server does something, or makes the server do
    /// something.
    Path sign(String name, String what) {
        return folder.resolve(name + "." + what);
    }

    /// Processes of servers, and what these have started.
    List<Long> children() {
        return PLATFORM.processes().list().stream()
                .filter(it -> !it.zombie()
                        && folder.toString().equals(PLATFORM.processes().variable(it, MARK)))
                .map(ProcessEntry::pid)
                .toList();
    }

    void signal(String name) throws IOException, InterruptedException {
        new ProcessBuilder("/bin/kill", "-" + name, "" + process.pid()).start().waitFor();
    }

    // ---- A client

    URI uri() {
        return uri;
    }

    JsonView ask(String method, String members, String... headers) {
        try {
            HttpURLConnection post = (HttpURLConnection) uri.toURL().openConnection();
            post.setDoOutput(true);
            post.setReadTimeout(60_000);
            post.setRequestProperty("Connection", "close");
            List<String> all = headers(method, headers);
            for (int i = 0; i < all.size(); i += 2) {
                post.setRequestProperty(all.get(i), all.get(i + 1));
            }
            post.getOutputStream().write(body(method, members).getBytes(UTF_8));
            try (InputStream in = post.getResponseCode() < 400 ? post.getInputStream() : post.getErrorStream()) {
                return read(new String(in.readAllBytes(), UTF_8));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Names and values in turn.
    static List<String> headers(String method, String... more) {
        List<String> all = new ArrayList<>(List.of("Content-Type", "application/json"));
        all.addAll(List.of("Accept", "application/json, text/event-stream", "Mcp-Protocol-Version", "2026-07-28"));
        all.addAll(List.of("Mcp-Method", method));
        all.addAll(List.of(more));
        return all;
    }

    static String body(String method, String members) {
        return "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"" + method + "\",\"params\":{" + META + members + "}}";
    }

    static String toolCall(String name, String arguments) {
        return ",\"name\":\"" + name + "\",\"arguments\":" + arguments;
    }

    static JsonView read(String text) {
        return JsonView.of(
                text.startsWith("{")
                        ? text
                        : text.substring(text.lastIndexOf("data:") + 5).strip());
    }

    /// What a tool says, or the code of its failure.
    String call(String server, String tool) {
        JsonView answer = answer(server, tool);
        JsonView code = answer.path("result", "_meta", "fusebox/error", "code");
        JsonView content = answer.path("result", "content");
        if (code != null || content == null) {
            return code == null ? answer.json() : Objects.requireNonNull(code.string());
        }
        return said(answer);
    }

    static String said(JsonView answer) {
        JsonView content = Objects.requireNonNull(answer.path("result", "content"), answer::json);
        return Objects.requireNonNull(content.elements().getFirst().string("text"));
    }

    /// All that is answered to a call.
    JsonView answer(String server, String tool) {
        return answer(server, tool, "{}");
    }

    JsonView answer(String server, String tool, String arguments) {
        String name = server + "__" + tool;
        return ask("tools/call", toolCall(name, arguments), "Mcp-Name", name);
    }

    /// Code, category and outcome of a call that fails, with blanks between.
    String failure(String server, String tool) {
        return failure(answer(server, tool));
    }

    static String failure(JsonView answer) {
        JsonView fault = Objects.requireNonNull(answer.path("result", "_meta", "fusebox/error"), answer::json);
        return fault.string("code") + " " + fault.string("category") + " " + fault.string("outcome");
    }

    /// A call on a thread of its own.
    FutureTask<String> calling(String server, String tool) {
        FutureTask<String> call = new FutureTask<>(() -> call(server, tool));
        Thread.ofVirtual().start(call);
        return call;
    }

    List<String> tools() {
        JsonView tools = Objects.requireNonNull(ask("tools/list", "").path("result", "tools"));
        return tools.elements().stream()
                .map(tool -> Objects.requireNonNull(tool.string("name")))
                .toList();
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
        children().forEach(pid -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly));
    }
}
