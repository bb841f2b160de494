package dev.fusebox.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The path of a `tools/call` through a gateway with two servers, from stdio to stdio: the stack of the thread
/// that waits for the answer, and the bytes that reach the server.
///
/// Takes over five seconds on a busy machine: each test starts a gateway and two servers.
@Tag("interop")
@Timeout(120)
class CallPathTest {
    /// `echo` answers with the line that it has received, and `hang` reports it as progress and never answers.
    private static final String SERVER = """
            const say = (message) => console.log(JSON.stringify({jsonrpc: '2.0', ...message}));
            const tools = ['echo', 'hang'].map((name) => ({name, inputSchema: {type: 'object'}}));
            const results = {
              'initialize': {protocolVersion: '2025-11-25', capabilities: {tools: {}},
                  serverInfo: {name: 'path', version: '1'}},
              'tools/list': {tools}, 'ping': {},
            };
            require('readline').createInterface({input: process.stdin}).on('line', (line) => {
                const {id, method, params} = JSON.parse(line);
                if (id === undefined) return;
                const progressToken = params?._meta?.progressToken;
                if (method === 'tools/call' && params.name === 'hang') {
                    say({method: 'notifications/progress', params: {progressToken, progress: 1, message: line}});
                } else if (method === 'tools/call') {
                    say({id, result: {content: [{type: 'text', text: line}]}});
                } else if (results[method]) {
                    say({id, result: results[method]});
                } else {
                    say({id, error: {code: -32601, message: 'unknown method'}});
                }
            });
            """;

    private static final Duration LIMIT = Duration.ofSeconds(60);

    @TempDir
    private Path folder = Path.of("");

    private Process gateway;
    private Writer toGateway;
    private BufferedReader fromGateway;

    @BeforeEach
    void start() throws IOException {
        List<String> command =
                JavaProgram.gateway("serve", "--config", configuration().toString(), "--expose", "proxy");
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment().put("FUSEBOX_HOME", folder.resolve("home").toString());
        gateway = builder.start();
        toGateway = gateway.outputWriter(StandardCharsets.UTF_8);
        fromGateway = gateway.inputReader(StandardCharsets.UTF_8);
        send("{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-11-25\","
                + "\"capabilities\":{},\"clientInfo\":{\"name\":\"path\",\"version\":\"1\"}}}");
        answer("0");
        send("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
        send("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}");
        answer("1");
    }

    private Path configuration() throws IOException {
        JsonWriter json = new JsonWriter().beginObject().name("mcpServers").beginObject();
        for (String name : List.of("one", "two")) {
            json.name(name)
                    .beginObject()
                    .name("command")
                    .string(Npm.node())
                    .name("args")
                    .beginArray();
            List.of("-e", SERVER).forEach(json::string);
            json.endArray().endObject();
        }
        return Files.write(
                folder.resolve("config.json"), json.endObject().endObject().bytes());
    }

    @AfterEach
    void end() throws InterruptedException, IOException {
        toGateway.close();
        if (!gateway.waitFor(LIMIT)) {
            gateway.destroyForcibly();
        }
    }

    private void send(String line) throws IOException {
        toGateway.write(line + "\n");
        toGateway.flush();
    }

    /// The next line of the gateway with this member at the top.
    private JsonView next(String member, String json) throws IOException {
        JsonView found = null;
        while (found == null) {
            JsonView line = JsonView.of(Objects.requireNonNull(fromGateway.readLine(), "the gateway has exited"));
            JsonView value = line.member(member);
            found = value != null && value.json().equals(json) ? line : null;
        }
        return found;
    }

    private JsonView answer(String id) throws IOException {
        return next("id", id);
    }

    private static String text(JsonView frame, String... path) {
        return Objects.requireNonNull(Objects.requireNonNull(frame.path(path)).string());
    }

    // ---- The stack

    private List<String> stackOfWaitingCall() throws IOException, InterruptedException {
        Path dump = folder.resolve("threads.txt");
        String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        Process process = new ProcessBuilder(
                        jcmd, Long.toString(gateway.pid()), "Thread.dump_to_file", "-overwrite", dump.toString())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("jcmd.txt").toFile())
                .start();
        assertThat(process.waitFor(LIMIT)).as("jcmd ends").isTrue();
        return Stream.of(Files.readString(dump).split("\n\n"))
                .filter(thread -> thread.contains("dev.fusebox.client.PendingRequest.await"))
                .filter(thread -> thread.contains("ToolDispatcher"))
                .flatMap(String::lines)
                .map(String::strip)
                .filter(line -> line.startsWith("at dev.fusebox."))
                .toList();
    }

    @Test
    void waiting_call_has_few_frames_of_few_types() throws IOException, InterruptedException {
        send("{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"one__hang\","
                + "\"arguments\":{},\"_meta\":{\"progressToken\":\"t\"}}}");
        next("method", "\"notifications/progress\"");
        List<String> frames = stackOfWaitingCall();
        Set<String> types = frames.stream()
                .map(frame -> frame.replaceFirst("^at (.*)\\.[^.]+\\(.*$", "$1").replaceFirst("\\$.*", ""))
                .collect(Collectors.toSet());
        assertThat(frames).as(String.join("\n", frames)).hasSizeBetween(8, 22);
        assertThat(types).hasSizeLessThanOrEqualTo(13);
        // Otherwise the gateway waits for the call at its end.
        send("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":2}}");
    }

    // ---- The bytes

    private void assertPasses(int id, String call) throws IOException {
        send(call);
        String received = text(
                Objects.requireNonNull(answer(Integer.toString(id)).path("result", "content"))
                        .elements()
                        .getFirst(),
                "text");
        String own = Objects.requireNonNull(JsonView.of(received).member("id")).json();
        assertThat(received)
                .isEqualTo(call.replace("\"id\": " + id, "\"id\": " + own)
                        .replace("one__echo", "echo")
                        .replace("\"progressToken\":\"t\"", "\"progressToken\":" + own));
    }

    @Test
    void request_reaches_server_of_the_same_era_byte_for_byte_but_for_id_name_and_token() throws IOException {
        assertPasses(
                2,
                "{\"jsonrpc\":\"2.0\", \"id\": 2 ,\"method\":\"tools/call\",\"params\":{ \"name\":\"one__echo\","
                        + "\"arguments\":{\"text\":\"\\u00e4\\/ä\",\"numbers\":[1.0, 2E+3 ,-0],\"null\":null}}}");
        assertPasses(
                3,
                "{\"params\":{\"unknown\":{\"a\":[]},\"_meta\":{\"own\":1, \"progressToken\":\"t\" },"
                        + "\"arguments\":{},\"name\":\"one__echo\"},\"method\":\"tools/call\",\"id\": 3,"
                        + "\"jsonrpc\":\"2.0\",\"extension\": true}");
    }
}
