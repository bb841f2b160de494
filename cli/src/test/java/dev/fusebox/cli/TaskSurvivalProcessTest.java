package dev.fusebox.cli;

import static dev.fusebox.testkit.Eventually.eventually;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.fixtures.server.Era;
import dev.fusebox.fixtures.server.FixtureServer;
import dev.fusebox.fixtures.server.ScriptedServer;
import dev.fusebox.fixtures.server.ServerScript;
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
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Tasks whose gateway is killed: the next gateway of the user finds them again.
///
/// Over five seconds: two gateways are started, as JVMs, one after the other.
@Tag("process")
@Timeout(300)
class TaskSurvivalProcessTest {
    private static final Pattern SERVING = Pattern.compile("serving on (http://\\S+)");

    private static final String META = "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
            + "\"io.modelcontextprotocol/clientCapabilities\":{\"extensions\":{\"io.modelcontextprotocol/tasks\":{}}}}";

    /// How long a task takes; -Dfusebox.taskSeconds=90 is the long form.
    private static final int SECONDS = Integer.getInteger("fusebox.taskSeconds", 8);

    @TempDir
    private Path folder;

    private Path journal() {
        return folder.resolve("journal");
    }

    /// The entry of a server that is a process and records its calls.
    private String near() {
        ServerScript near = ServerScript.faultless().withEra(Era.MODERN).withJournal(journal());
        List<String> command = ScriptedServer.stdio(near);
        JsonWriter args = new JsonWriter().beginArray();
        command.subList(1, command.size()).forEach(args::string);
        return "{\"command\":" + JsonWriter.quoted(command.getFirst()) + ",\"args\":" + args.endArray() + "}";
    }

    private static String far(FixtureServer server) {
        return "{\"url\":\"" + server.uri() + "\"}";
    }

    private Path configuration(FixtureServer far) throws IOException {
        return Files.writeString(
                folder.resolve("config.json"),
                "{\"mcpServers\":{\"near\":" + near() + ",\"far\":" + far(far) + "},\"http\":{\"port\":0}}");
    }

    /// A gateway over HTTP, as a process of its own.
    private final class ServedProcess implements AutoCloseable {
        private final Path errors;
        private final Process process;
        private final URI uri;

        ServedProcess(Path config) throws IOException {
            this.errors = Files.createTempFile(folder, "errors", "");
            ProcessBuilder builder = new ProcessBuilder(Launched.command(
                            "serve", "--config", config.toString(), "--expose", "proxy", "--transport", "http"))
                    .redirectError(errors.toFile());
            builder.environment().put("FUSEBOX_HOME", folder.resolve("home").toString());
            this.process = builder.start();
            eventually("it serves", () -> SERVING.matcher(errorText()).find());
            Matcher serving = SERVING.matcher(errorText());
            assertThat(serving.find()).isTrue();
            this.uri = URI.create(serving.group(1));
        }

        private String errorText() {
            try {
                return Files.readString(errors);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        JsonView ask(String method, String name, String members) {
            try {
                HttpURLConnection post = (HttpURLConnection) uri.toURL().openConnection();
                post.setDoOutput(true);
                post.setReadTimeout(60_000);
                List<String> headers = RunningGateway.headers(method, "Mcp-Name", name, "Connection", "close");
                for (int i = 0; i < headers.size(); i += 2) {
                    post.setRequestProperty(headers.get(i), headers.get(i + 1));
                }
                String body = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"" + method + "\",\"params\":{" + META
                        + members + "}}";
                post.getOutputStream().write(body.getBytes(UTF_8));
                try (InputStream in = post.getResponseCode() < 400 ? post.getInputStream() : post.getErrorStream()) {
                    return RunningGateway.read(new String(in.readAllBytes(), UTF_8));
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        String created(String tool) {
            String arguments = "{\"seconds\":" + SECONDS + ",\"label\":\"" + tool + "\"}";
            JsonView answer = ask("tools/call", tool, RunningGateway.toolCall(tool, arguments));
            JsonView id = answer.path("result", "taskId");
            assertThat(id).as(answer.json()).isNotNull();
            JsonView status = answer.path("result", "status");
            assertThat(status).as(answer.json()).hasToString("\"working\"");
            return Objects.requireNonNull(Objects.requireNonNull(id).string());
        }

        JsonView poll(String task) {
            JsonView answer = ask("tasks/get", task, ",\"taskId\":\"" + task + "\"");
            return Objects.requireNonNull(answer.member("result"), answer.json());
        }

        void kill() throws InterruptedException {
            process.destroyForcibly();
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        }

        @Override
        public void close() {
            process.destroyForcibly();
        }
    }

    /// The executed calls that a server has recorded.
    private static long starts(Path journal) {
        if (!Files.exists(journal)) {
            return 0;
        }
        try (Stream<String> lines = Files.lines(journal)) {
            return lines.filter(line -> !line.endsWith(":cancelled")).count();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    @Test
    void task_of_a_remote_server_survives_the_gateway_and_one_of_a_process_has_failed() throws Exception {
        try (FixtureServer far = FixtureServer.start(ServerScript.faultless().withEra(Era.MODERN))) {
            Path config = configuration(far);
            String remote;
            String local;
            try (ServedProcess first = new ServedProcess(config)) {
                local = first.created("near__slow_compute");
                remote = first.created("far__slow_compute");
                first.kill();
            }
            long calls = starts(journal());
            try (ServedProcess next = new ServedProcess(config)) {
                JsonView failed = next.poll(local);
                assertThat(failed.string("status")).as(failed.json()).isEqualTo("failed");
                JsonView code = failed.path("error", "data", "fusebox/error", "code");
                assertThat(code).as(failed.json()).isNotNull();
                assertThat(Objects.requireNonNull(code).string()).isEqualTo("outcome_unknown");
                eventually(
                        "the task is completed",
                        Duration.ofSeconds(SECONDS + 60),
                        () -> "completed".equals(next.poll(remote).string("status")));
                assertThat(next.poll(remote).json()).contains("computed far__slow_compute");
                assertThat(starts(journal()))
                        .as("executed calls of the process")
                        .isEqualTo(calls);
            }
        }
    }

    private static String sendCompute(SharedClient client, String server, int seconds) {
        String arguments = "{\"seconds\":" + seconds + ",\"label\":\"" + server + "\"}";
        return client.send("tools/call", "{\"name\":\"" + server + "__slow_compute\",\"arguments\":" + arguments + "}");
    }

    @Test
    void client_that_does_not_know_tasks_gets_the_result_or_learns_that_it_is_unknown() throws IOException {
        Path ofFar = folder.resolve("far.journal");
        ServerScript script = ServerScript.faultless().withEra(Era.MODERN).withJournal(ofFar);
        try (FixtureServer far = FixtureServer.start(script);
                SharedHome home = new SharedHome(folder)
                        .entry("near", near())
                        .entry("far", far(far))
                        .save()) {
            SharedClient ada = home.client("ada").hello("{}");
            assertThat(SharedClient.text(ada.await(sendCompute(ada, "far", 1)))).contains("computed far");
            List<String> begun = List.of(sendCompute(ada, "near", SECONDS), sendCompute(ada, "far", SECONDS));
            eventually("both servers work", () -> starts(journal()) == 1 && starts(ofFar) == 2);
            SharedHome.signal(home.gateway(), "KILL");
            for (String each : begun) {
                JsonView answer = ada.await(each);
                JsonView error = SharedClient.error(answer);
                assertThat(error).as(answer.json()).isNotNull();
                assertThat(Objects.requireNonNull(error).string("outcome")).isEqualTo("unknown");
            }
            assertThat(ada.call("near__greet", ""))
                    .as("the next gateway serves")
                    .isNotEmpty();
            assertThat(starts(journal())).isEqualTo(2);
            assertThat(starts(ofFar)).isEqualTo(2);
        }
    }
}
