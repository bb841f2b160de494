package dev.fusebox.gateway;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.config.Overrides;
import dev.fusebox.fixtures.server.ScriptedServer;
import dev.fusebox.fixtures.server.ServerScript;
import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.JsonWriter;
import dev.fusebox.sandbox.WorkerProgram;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Profiles at `/mcp/p/NAME` of a whole gateway, before real servers. Over five seconds: a whole gateway and several
/// server processes for each test.
@Tag("process")
@Timeout(120)
class ProfilePathsTest {
    private static final String WORK = "\"work\":{\"servers\":[\"one\"],\"tools\":{\"exclude\":[\"one/slow\"]}}";
    private static final String FEW = "\"few\":{\"expose\":\"meta\",\"tools\":{\"include\":[\"one/echo\"]}}";

    @TempDir
    private Path folder;

    private final HttpClient http = HttpClient.newHttpClient();

    @AfterEach
    void end() {
        http.shutdownNow();
    }

    private Path file(String profiles) throws IOException {
        String servers = Stream.of("one", "two")
                .map(name -> JsonWriter.quoted(name) + ":" + server())
                .reduce((one, two) -> one + "," + two)
                .orElseThrow();
        return Files.writeString(
                folder.resolve("servers.json"),
                "{\"mcpServers\":{" + servers + "},\"expose\":\"proxy\",\"discovery\":{\"semantic\":\"off\"},"
                        + "\"http\":{\"port\":0},\"profiles\":{" + profiles + "}}");
    }

    private static String server() {
        List<String> command = ScriptedServer.stdio(ServerScript.faultless());
        JsonWriter args = new JsonWriter().beginArray();
        command.stream().skip(1).forEach(args::string);
        return "{\"command\":" + JsonWriter.quoted(command.getFirst()) + ",\"args\":" + args.endArray() + "}";
    }

    private static WorkerProgram worker() {
        String path = System.getProperty("java.class.path", "")
                + File.pathSeparator
                + System.getProperty("jdk.module.path", "");
        try {
            return WorkerProgram.of(path, null).orElseThrow();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private Gateway started(Overrides overrides, String profiles) throws Exception {
        GatewayConfig config = GatewayConfig.read(Platform.system(), file(profiles), overrides);
        return Gateway.start(config, GatewayOptions.defaults().withWorker(() -> Optional.of(worker())));
    }

    private Gateway started() throws Exception {
        return started(Overrides.NONE, WORK + "," + FEW);
    }

    private Client client(Gateway gateway, String path, String era) {
        Client client = new Client(gateway.address().resolve(path), era.equals("modern"));
        return client.isModern ? client : client.begun();
    }

    /// A client of either era at one path.
    private final class Client {
        private final URI address;
        private final boolean isModern;
        private String session = "";

        Client(URI address, boolean isModern) {
            this.address = address;
            this.isModern = isModern;
        }

        Client begun() {
            HttpResponse<String> greeted = post("initialize", """
                    {"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}""");
            session = greeted.headers().firstValue("Mcp-Session-Id").orElseThrow();
            send("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}", request());
            return this;
        }

        /// The same client, which uses its session at another path.
        Client at(String path) {
            Client other = new Client(address.resolve(path), isModern);
            other.session = session;
            return other;
        }

        HttpRequest.Builder request() {
            HttpRequest.Builder request = HttpRequest.newBuilder(address)
                    .header("Content-Type", "application/json")
                    .header("Accept", "application/json, text/event-stream");
            return session.isEmpty() ? request : request.header("Mcp-Session-Id", session);
        }

        private HttpResponse<String> post(String method, String params) {
            HttpRequest.Builder request = request();
            String sent = params;
            if (isModern) {
                sent = params.substring(0, params.length() - 1) + (params.equals("{}") ? "" : ",")
                        + "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
                        + "\"io.modelcontextprotocol/clientCapabilities\":{}}}";
                request.header("Mcp-Protocol-Version", "2026-07-28").header("Mcp-Method", method);
                Matcher name = Pattern.compile("\"(?:name|uri)\":\"([^\"]+)\"").matcher(params);
                if (name.find()) {
                    request.header("Mcp-Name", name.group(1));
                }
            }
            String frame = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"" + method + "\",\"params\":" + sent + "}";
            return send(frame, request);
        }

        private HttpResponse<String> send(String frame, HttpRequest.Builder request) {
            try {
                return http.send(
                        request.POST(HttpRequest.BodyPublishers.ofString(frame)).build(),
                        HttpResponse.BodyHandlers.ofString());
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            } catch (InterruptedException stopped) {
                throw new AssertionError(stopped);
            }
        }

        String ask(String method, String params) {
            return post(method, params).body();
        }

        String call(String tool, String arguments) {
            return ask("tools/call", "{\"name\":\"" + tool + "\",\"arguments\":" + arguments + "}");
        }

        /// How often the process of the first server has answered this before, and now.
        String count() {
            Matcher text = Pattern.compile("\"text\":\"(\\d+)\"").matcher(call("one__count", "{}"));
            return text.find() ? text.group(1) : "no answer";
        }

        String tools() {
            return ask("tools/list", "{}");
        }

        /// Collects the lines of the stream that belongs to no request.
        Queue<String> listening() throws Exception {
            Queue<String> lines = new ConcurrentLinkedQueue<>();
            HttpResponse<Stream<String>> stream =
                    http.send(request().GET().build(), HttpResponse.BodyHandlers.ofLines());
            Thread.startVirtualThread(() -> {
                try (Stream<String> body = stream.body()) {
                    body.forEach(lines::add);
                } catch (UncheckedIOException closed) {
                    lines.add("closed");
                }
                lines.add("end");
            });
            return lines;
        }
    }

    private String get(Gateway gateway, String path) throws Exception {
        HttpRequest request =
                HttpRequest.newBuilder(gateway.address().resolve(path)).build();
        return http.send(request, HttpResponse.BodyHandlers.ofString()).body();
    }

    @ParameterizedTest
    @ValueSource(strings = {"legacy", "modern"})
    void profile_is_a_view_of_the_same_processes_and_breakers(String era) throws Exception {
        try (Gateway gateway = started()) {
            // Of equal resources of two servers, those of the first that is read keep their addresses.
            Client work = client(gateway, "/mcp/p/work", era);
            eventually(
                    "its resources are listed",
                    () -> assertThat(work.ask("resources/list", "{}")).contains("test://static-text"));
            Client all = client(gateway, "/mcp", era);
            eventually("all tools are listed", () -> assertThat(all.tools()).contains("one__slow", "two__echo"));
            assertThat(work.tools()).contains("one__echo").doesNotContain("\"one__slow\"", "two__");

            assertThat(all.count()).isEqualTo("1");
            assertThat(work.count()).isEqualTo("2");
            assertThat(get(gateway, "/metrics")).contains("fusebox_children 2\n");
            assertThat(get(gateway, "/api/v1/breakers")).doesNotContain("#2");

            for (String hidden : List.of("one__slow", "two__echo")) {
                assertThat(work.call(hidden, "{\"text\":\"secret\",\"ms\":1}"))
                        .contains("\"unknown_", "not_sent")
                        .doesNotContain("secret");
            }
            Pattern ofTwo = Pattern.compile("\"uri\":\"([^\"]*two[^\"]*)\"");
            eventually(
                    "its resources are listed",
                    () -> assertThat(all.ask("resources/list", "{}")).containsPattern(ofTwo));
            Matcher uri = ofTwo.matcher(all.ask("resources/list", "{}"));
            assertThat(uri.find()).isTrue();
            String read = "{\"uri\":\"" + uri.group(1) + "\"}";
            assertThat(all.ask("resources/read", read)).contains("\"contents\"");
            assertThat(work.ask("resources/list", "{}"))
                    .contains("test://static-text")
                    .doesNotContain("two");
            assertThat(work.ask("resources/read", read)).doesNotContain("\"contents\"");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"legacy", "modern"})
    void tool_outside_of_a_profile_is_neither_found_nor_called_nor_scripted(String era) throws Exception {
        try (Gateway gateway = started()) {
            Client few = client(gateway, "/mcp/p/few", era);
            assertThat(few.tools()).contains("mcp_discover", "mcp_execute").doesNotContain("one__echo");
            eventually(
                    "the tool is found",
                    () -> assertThat(few.call("mcp_discover", "{\"query\":\"answers with the text\"}"))
                            .contains("Answers with the text it is given"));
            assertThat(few.call("mcp_discover", "{\"query\":\"adds two numbers\"}"))
                    .doesNotContain("Adds two numbers");
            assertThat(few.call("mcp_provision", "{\"intent\":\"adds two numbers\"}"))
                    .doesNotContain("Adds two numbers");
            assertThat(few.call("mcp_call", "{\"server\":\"one\",\"tool\":\"add\",\"args\":{\"a\":40,\"b\":2}}"))
                    .contains("unknown_tool")
                    .doesNotContain("42");
            assertThat(few.call("mcp_call", "{\"tool\":\"one/echo\",\"args\":{\"text\":\"heard\"}}"))
                    .contains("heard");
            assertThat(few.call("mcp_call", "{\"tool\":\"one/add\",\"args\":{\"a\":40,\"b\":2}}"))
                    .contains("unknown_tool")
                    .doesNotContain("42");
            assertThat(few.call("mcp_execute", "{\"code\":\"return await servers.one.echo({text: 'heard'})\"}"))
                    .contains("heard");
            assertThat(few.call("mcp_execute", "{\"code\":\"return await servers.one.add({a: 40, b: 2})\"}"))
                    .contains("has no tool")
                    .doesNotContain("42");
        }
    }

    @Test
    void session_is_unknown_at_any_path_but_its_own() throws Exception {
        try (Gateway gateway = started()) {
            Client work = client(gateway, "/mcp/p/work", "legacy");
            Client all = client(gateway, "/mcp", "legacy");
            for (Client elsewhere : List.of(work.at("/mcp"), work.at("/mcp/p/few"), all.at("/mcp/p/work"))) {
                HttpResponse<String> answer = elsewhere.post("tools/list", "{}");
                assertThat(answer.statusCode()).as(answer.body()).isEqualTo(404);
                assertThat(answer.body()).contains("unknown session");
                HttpRequest delete = elsewhere.request().DELETE().build();
                assertThat(http.send(delete, HttpResponse.BodyHandlers.ofString())
                                .statusCode())
                        .isEqualTo(404);
            }
            assertThat(work.post("tools/list", "{}").statusCode()).isEqualTo(200);
            assertThat(all.post("tools/list", "{}").statusCode()).isEqualTo(200);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"legacy", "modern"})
    void unknown_profile_is_not_found_and_the_answer_names_the_others(String era) throws Exception {
        try (Gateway gateway = started()) {
            Client wrong = new Client(gateway.address().resolve("/mcp/p/wrok"), era.equals("modern"));
            HttpResponse<String> answer = wrong.post("tools/list", "{}");
            assertThat(answer.statusCode()).isEqualTo(404);
            assertThat(answer.body()).contains("unknown profile \\\"wrok\\\"; the gateway has work, few", "\"error\"");
            assertThat(answer.headers().firstValue("Content-Type")).hasValue("application/json");
        }
    }

    @Test
    void web_page_of_a_foreign_origin_is_refused_at_a_profile_as_everywhere() throws Exception {
        try (Gateway gateway = started()) {
            for (String path : List.of("/mcp", "/mcp/p/work", "/mcp/p/wrok")) {
                HttpRequest request = HttpRequest.newBuilder(gateway.address().resolve(path))
                        .header("Origin", "https://elsewhere.example")
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString("{}"))
                        .build();
                assertThat(http.send(request, HttpResponse.BodyHandlers.ofString())
                                .statusCode())
                        .as(path)
                        .isEqualTo(403);
            }
        }
    }

    @Test
    void changed_profile_is_applied_to_sessions_and_a_removed_one_ends_them() throws Exception {
        try (Gateway gateway = started()) {
            Client work = client(gateway, "/mcp/p/work", "legacy");
            eventually("its tools are listed", () -> assertThat(work.tools()).contains("one__echo"));
            Queue<String> heard = work.listening();

            file("\"work\":{\"tools\":{\"exclude\":[\"one/echo\"]}},\"late\":{\"servers\":[\"two\"]}");
            gateway.reload();
            eventually("it is told", () -> assertThat(heard).anyMatch(line -> line.contains("tools/list_changed")));
            eventually(
                    "it sees the other tools",
                    () -> assertThat(work.tools())
                            .contains("one__slow", "two__echo")
                            .doesNotContain("one__echo"));
            assertThat(work.call("one__echo", "{\"text\":\"x\"}")).contains("unknown_tool");
            Client late = client(gateway, "/mcp/p/late", "modern");
            assertThat(late.call("two__echo", "{\"text\":\"heard\"}")).contains("heard");
            Client few = new Client(gateway.address().resolve("/mcp/p/few"), true);
            assertThat(few.ask("tools/list", "{}")).contains("the gateway has work, late");

            file("\"late\":{\"servers\":[\"two\"]}");
            gateway.reload();
            eventually("its stream ends", () -> assertThat(heard).contains("end"));
            HttpResponse<String> gone = work.post("tools/list", "{}");
            assertThat(gone.statusCode()).isEqualTo(404);
            assertThat(gone.body()).contains("unknown profile \\\"work\\\"; the gateway has late");
            assertThat(late.call("two__echo", "{\"text\":\"heard\"}")).contains("heard");
            assertThat(get(gateway, "/api/v1/breakers")).doesNotContain("#2");
        }
    }

    private void replace(String part, String other) throws IOException {
        Path file = folder.resolve("servers.json");
        Files.writeString(file, Files.readString(file).replaceFirst(part, other));
    }

    @Test
    void server_that_changes_keeps_one_process_in_all_views() throws Exception {
        try (Gateway gateway = started()) {
            Client all = client(gateway, "/mcp", "modern");
            Client work = client(gateway, "/mcp/p/work", "modern");
            assertThat(work.count()).isEqualTo("1");
            eventually("all tools are listed", () -> assertThat(all.tools()).contains("two__echo"));

            replace("\"command\"", "\"timeoutMs\":50000,\"command\"");
            gateway.reload();
            eventually(
                    "the setting is applied",
                    () -> assertThat(gateway.configuration()
                                    .servers()
                                    .getFirst()
                                    .times()
                                    .call())
                            .isEqualTo(Duration.ofSeconds(50)));
            assertThat(all.count()).isEqualTo("2");
            assertThat(work.count()).isEqualTo("3");
            Client late = client(gateway, "/mcp/p/few", "modern");
            assertThat(late.tools()).contains("mcp_call");
            assertThat(get(gateway, "/metrics")).contains("fusebox_children 2\n");

            replace("\"command\"", "\"env\":{\"A\":\"b\"},\"command\"");
            gateway.reload();
            eventually("it has another process", () -> assertThat(all.count()).isEqualTo("1"));
            assertThat(work.count()).isEqualTo("2");
            assertThat(get(gateway, "/api/v1/breakers")).contains("\"one\"").doesNotContain("#2");
        }
    }

    @Test
    void gateway_that_serves_one_profile_has_no_other() throws Exception {
        try (Gateway gateway = started(Overrides.NONE.inProfile("work").with("--expose", "proxy"), WORK + "," + FEW)) {
            Client few = new Client(gateway.address().resolve("/mcp/p/few"), true);
            assertThat(few.ask("tools/list", "{}")).contains("the gateway has work");
            Client work = client(gateway, "/mcp/p/work", "modern");
            assertThat(work.call("one__echo", "{\"text\":\"heard\"}")).contains("heard");
            assertThat(work.call("two__echo", "{\"text\":\"heard\"}")).contains("unknown_server");
        }
    }

    @Test
    void configuration_without_a_file_has_profiles() throws Exception {
        GatewayConfig read = GatewayConfig.read(Platform.system(), file(WORK), Overrides.NONE);
        try (Gateway gateway = Gateway.start(GatewayConfig.of(read.configuration()))) {
            Client all = client(gateway, "/mcp", "modern");
            Client work = client(gateway, "/mcp/p/work", "modern");
            assertThat(all.count()).isEqualTo("1");
            assertThat(work.count()).isEqualTo("2");
        }
    }
}
