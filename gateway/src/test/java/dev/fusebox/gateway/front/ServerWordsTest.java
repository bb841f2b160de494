package dev.fusebox.gateway.front;

import static dev.fusebox.testkit.Eventually.eventually;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.process.ChildLimits;
import dev.fusebox.client.process.ChildSpec;
import dev.fusebox.gateway.session.SessionSettings;
import dev.fusebox.protocol.JsonView;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Messages of servers, and who receives them.
///
/// Over five seconds: calls end by their timeout.
@Tag("process")
@Timeout(120)
class ServerWordsTest {
    private static final int MEBIBYTE = 1 << 20;
    private static final String TIMEOUT = "timeout offline unknown";
    private static final String TOO_LARGE = "protocol_violation protocol unknown";

    @TempDir
    private Path folder;

    private Path journal() {
        return folder.resolve("journal");
    }

    /// Calls may overtake each other on their way to the server.
    private void awaitNoted(int calls) {
        eventually(
                "every call is noted",
                () -> assertThat(Machine.journal(journal())).hasSize(calls));
    }

    /// Also for a call that is answered: a busy machine may need some seconds for it.
    private static SessionSettings impatient() {
        return SessionSettings.of("server").withTimeout(Duration.ofSeconds(4));
    }

    /// Calls that end together, by their timeout.
    private static void assertTimeouts(StdioClient client, int calls) {
        for (int i = 1; i <= calls; i++) {
            client.say(Frame.call("" + i, "echo", "{}"));
        }
        for (int i = 1; i <= calls; i++) {
            assertThat(Frame.kind(client.answer("" + i))).isEqualTo(TIMEOUT);
        }
    }

    /// A server that completes the handshake, and runs this for every call: `line` is the call and `id` its id.
    private static ChildSpec doing(String... lines) {
        Machine.needsPython();
        return Servers.python("""
                while True:
                    for line in read():
                        id = ident(line)
                        if id and b'"initialize"' in line: say(answer(id, b''))
                        elif id:
                """ + "            " + String.join("\n            ", lines) + "\n");
    }

    // ---- Ids

    @Test
    void response_with_an_unknown_id_is_ignored() {
        try (StdioClient client = StdioClient.of(
                impatient(),
                Servers.faulty("unknown-id@1", "id-as-string@2", "id-null@3", "id-missing@4", "id-as-decimal@5"))) {
            assertTimeouts(client, 4);
            assertThat(client.echo("5", "7.0 means 7")).isEqualTo("7.0 means 7");
            assertThat(client.echo("6", "still there")).isEqualTo("still there");
            assertThat(client.others()).isEmpty();
        }
    }

    @Test
    void first_of_two_responses_counts() {
        try (StdioClient client = StdioClient.of(Servers.faulty("duplicate@1-50"))) {
            for (int i = 1; i <= 50; i++) {
                assertThat(client.echo("" + i, "text " + i)).isEqualTo("text " + i);
            }
            assertThat(client.others()).isEmpty();
        }
    }

    @Test
    void late_response_is_ignored() {
        try (StdioClient client = StdioClient.of(impatient(), Servers.faulty("late-after-cancel@1-5"))) {
            assertTimeouts(client, 5);
            assertThat(client.echo("6", "in time")).isEqualTo("in time");
            assertThat(client.others()).isEmpty();
        }
    }

    // ---- Noise

    @Test
    void lines_that_are_not_messages_are_skipped() {
        try (StdioClient client = StdioClient.of(Servers.faulty("noise@1-3", "odd-characters@4", "invalid-utf8@5"))) {
            for (int i = 1; i <= 3; i++) {
                assertThat(client.echo("" + i, "heard")).isEqualTo("heard");
            }
            String odd = client.call("4", "echo", "{}").json();
            assertThat(odd).contains("\\ud800").contains("\\u0000").contains("\u2028");
            // Calls of one client run concurrently: the server gets the second one first now and then.
            client.say(Frame.echo("5", "one"));
            client.say(Frame.echo("6", "one"));
            eventually("call 5 or 6 is answered", () -> client.isAnswered("5") || client.isAnswered("6"));
            assertThat(client.echo("7", "the next one")).isEqualTo("the next one");
            boolean isFirst = client.isAnswered("5");
            assertThat(Frame.text(client.answer(isFirst ? "5" : "6"))).isEqualTo("one");
            assertThat(client.isAnswered(isFirst ? "6" : "5"))
                    .as("the answer that is no UTF-8")
                    .isFalse();
        }
    }

    @Test
    void server_that_writes_a_byte_order_mark_before_its_messages_is_understood() {
        ChildSpec spec = Servers.python("""
                while True:
                    for line in read():
                        if ident(line): say(b'\\xef\\xbb\\xbf' + answer(ident(line), text(line)))
                """);
        try (StdioClient client = StdioClient.of(spec)) {
            assertThat(client.echo("1", "heard")).isEqualTo("heard");
            assertThat(client.echo("2", "heard again")).isEqualTo("heard again");
        }
    }

    @Test
    void numbers_and_white_space_are_unchanged() {
        ChildSpec spec = doing(
                "say(b'{\\t\"jsonrpc\" : \"2.0\",\"result\":{\"a\":[-0, 1e400,\\r 9223372036854775808 ,1.50]},\"id\":'"
                        + " + id + b'}\\r\\n')");
        try (StdioClient client = StdioClient.of(spec)) {
            JsonView answer = client.call("1", "any", "{}");

            assertThat(answer.path("result", "a")).hasToString("[-0, 1e400,  9223372036854775808 ,1.50]");
        }
    }

    @Test
    void endless_number_fails_only_its_own_call() {
        try (StdioClient client = StdioClient.of(impatient(), Servers.faulty("long-number=10000000@1"))) {
            assertThat(Frame.kind(client.call("1", "echo", "{}"))).isEqualTo(TIMEOUT);
            assertThat(client.echo("2", "unharmed")).isEqualTo("unharmed");
        }
    }

    /// Nothing else ends the call within the time of this test.
    @Test
    void too_deep_result_fails_only_its_own_call_at_once() {
        try (StdioClient client = StdioClient.of(Servers.faulty("hang@1", "deep=100000@2"))) {
            client.say(Frame.echo("1", "waits"));
            JsonView deep = client.call("2", "echo", "{}");
            assertThat(Frame.kind(deep)).isEqualTo("protocol_violation protocol unknown");
            assertThat(deep.toString()).contains("nested deeper than 128");
            assertThat(client.echo("3", "unharmed")).isEqualTo("unharmed");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"{'id':2,'result':{}}", "{'jsonrpc':'2.0','id':2,'result':{},'error':{}}"})
    void invalid_response_fails_its_own_call_at_once(String answer) {
        String welcome = "{'jsonrpc':'2.0','id':1,'result':{'protocolVersion':'2025-11-25','capabilities':{},"
                + "'serverInfo':{'name':'odd','version':'1'}}}";
        String shell = "read hello; echo \"$0\"; read told; read call; echo \"$1\"; while read more; do :; done";
        ChildSpec odd = ChildSpec.of("/bin/sh", "-c", shell, welcome.replace('\'', '"'), answer.replace('\'', '"'));
        try (StdioClient client = StdioClient.of(odd)) {
            JsonView broken = client.call("1", "echo", "{}");
            assertThat(Frame.kind(broken)).isEqualTo("protocol_violation other unknown");
            assertThat(Frame.fault(broken).string("message")).contains("invalid JSON-RPC response");
        }
    }

    /// A server of that revision that answers calls in batches.
    private static ChildSpec batching(String revision) {
        Machine.needsPython();
        return Servers.python("""
                while True:
                    for line in read():
                        id = ident(line)
                        reply = answer(id, text(line)).replace(b'2025-11-25', b'%s')
                        if id and b'"tools/call"' in line: say(b'[' + reply[:-1] + b']\\n')
                        elif id: say(reply)
                """.formatted(revision));
    }

    @ParameterizedTest
    @ValueSource(strings = {"2025-06-18", "2025-11-25"})
    void f23_batched_response_fails_its_call_in_revisions_without_batches(String revision) {
        try (StdioClient client = StdioClient.of(batching(revision))) {
            JsonView broken = client.call("1", "echo", "{}");
            assertThat(Frame.kind(broken)).isEqualTo("protocol_violation other unknown");
            assertThat(Frame.fault(broken).string("message")).contains("batches are not part of revision " + revision);
        }
    }

    @Test
    void f23_batched_response_is_accepted_in_the_revision_with_batches() {
        try (StdioClient client = StdioClient.of(batching("2025-03-26"))) {
            assertThat(client.echo("1", "one of one")).isEqualTo("one of one");
        }
    }

    // ---- Size

    @Test
    void oversized_result_fails_only_its_own_call_at_once() {
        long before = Machine.heldBytes();
        try (StdioClient client = StdioClient.of(Servers.noting(journal(), "hang@1-2", "giant=67108864@3"))) {
            client.say(Frame.echo("1", "waits"));
            client.say(Frame.echo("2", "waits"));
            awaitNoted(2);

            JsonView answer = client.call("3", "echo", "{}");

            assertThat(Frame.kind(answer)).isEqualTo(TOO_LARGE);
            assertThat(Frame.fault(answer).string("message"))
                    .isEqualTo("result too large (64 MiB > 16 MiB, limits.frameBytes); the server has responded, so the"
                            + " call may have been executed; request less data in one call");
            assertThat(client.echo("4", "goes on")).isEqualTo("goes on");
            assertThat(client.isAnswered("1") || client.isAnswered("2")).isFalse();
            // Other tests of this JVM may still be releasing what they held.
            eventually(
                    "the bytes of the result are not held",
                    () -> assertThat(Machine.heldBytes() - before).isLessThan(16 * MEBIBYTE));
        }
    }

    @Test
    void oversized_result_is_matched_by_an_id_at_its_end() {
        ChildSpec spec = doing(
                "if b'wait' in line: continue",
                "say(b'{\"result\":{\"id\":2,\"x\":\"' + b'x' * (17 << 20) + b'\"},\"id\":' + id + b'}\\n')");
        try (StdioClient client = StdioClient.of(spec)) {
            client.say(Frame.echo("1", "wait"));

            assertThat(Frame.kind(client.call("2", "any", "{}"))).isEqualTo(TOO_LARGE);
            assertThat(client.isAnswered("1")).isFalse();
        }
    }

    /// The server has its own request ids: the same one is that of a call.
    @Test
    void oversized_server_request_is_rejected_and_not_taken_for_a_response() {
        ChildSpec spec = doing(
                "say(b'{\"id\":' + id + b',\"jsonrpc\":\"2.0\",\"method\":\"ping\",\"params\":{\"x\":\"')",
                "say(b'x' * (17 << 20) + b'\"}}\\n')",
                "say(b''.join(answer(id, b'refused') for told in read() if b'-32600' in told))");
        try (StdioClient client = StdioClient.of(spec)) {
            assertThat(Frame.text(client.call("1", "any", "{}"))).isEqualTo("refused");
        }
    }

    @Test
    void endless_line_kills_the_server_and_fails_its_calls() {
        ChildLimits limits = ChildLimits.defaults().withDiscardBytes(64 * MEBIBYTE);
        try (StdioClient client = StdioClient.of(
                Servers.noting(journal(), "hang@1", "endless-line=1073741824@2").withLimits(limits))) {
            client.say(Frame.echo("1", "waits"));
            awaitNoted(1);

            JsonView answer = client.call("2", "echo", "{}");

            assertThat(Frame.kind(answer)).isEqualTo("server_crashed stdio-exit unknown");
            assertThat(Frame.kind(client.answer("1"))).isEqualTo("server_crashed stdio-exit unknown");
        }
    }

    /// The caller of the endless line is notified by the line itself; its next call comes at once.
    @Test
    void call_after_an_endless_line_is_answered_by_the_next_process() {
        Path first = folder.resolve("first");
        ChildSpec spec = doing(
                        "import os; again = os.path.exists('" + first + "'); open('" + first + "', 'a').close()",
                        "if again: say(answer(id, b'well')); continue",
                        "say(b'{\"jsonrpc\":\"2.0\",\"id\":' + id + b',\"result\":{\"x\":\"')",
                        "while True: say(b'x' * 65536)")
                .withLimits(ChildLimits.defaults().withDiscardBytes(20 * MEBIBYTE));
        try (StdioClient client = StdioClient.of(spec)) {
            JsonView broken = client.call("1", "any", "{}");
            JsonView next = client.call("2", "any", "{}");

            assertThat(Frame.text(next)).isEqualTo("well");
            assertThat(Frame.kind(broken)).isEqualTo("server_crashed stdio-exit unknown");
            assertThat(Frame.fault(broken).string("message")).contains("wrote an endless line to stdout");
        }
    }

    @Test
    void fifteen_megabyte_response_passes_both_front_ends() throws IOException {
        int large = 15 * MEBIBYTE;
        String arguments = "{\"bytes\":" + large + "}";
        try (StdioClient client = StdioClient.of(Servers.faulty());
                WebGateway gateway = WebGateway.of(Servers.faulty());
                WebClient web = gateway.connect().hello()) {
            assertThat(Frame.text(client.call("1", "big", arguments))).hasSize(large);
            assertThat(Frame.text(web.call("1", "big", arguments))).hasSize(large);
        }
    }

    // ---- Progress, server requests, list changes

    @Test
    void progress_does_not_extend_the_call_timeout() {
        try (StdioClient client = StdioClient.of(impatient(), Servers.faulty("progress-forever=20@1"))) {
            JsonView answer = client.ask(
                    "1",
                    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"echo\","
                            + "\"arguments\":{},\"_meta\":{\"progressToken\":\"t\"}}}");

            assertThat(Frame.kind(answer)).isEqualTo(TIMEOUT);
            assertThat(client.others()).isNotEmpty().allMatch(line -> line.contains("\"progressToken\":\"t\""));
            assertThat(client.echo("2", "goes on")).isEqualTo("goes on");
        }
    }

    @Test
    void server_request_reaches_the_client_and_its_rejection_the_server() {
        try (StdioClient client = StdioClient.of(Servers.faulty("client-request=unknown/method@1"))) {
            AtomicInteger echoed = new AtomicInteger();
            client.onLine(line -> {
                if (line.contains("unknown/method")) {
                    refuse(client, line);
                } else if (line.contains("after all")) {
                    echoed.incrementAndGet();
                }
            });
            client.say(Frame.echo("1", "after all"));

            eventually("one call is echoed", () -> assertThat(echoed.get()).isEqualTo(1));
        }
    }

    private static void refuse(StdioClient client, String line) {
        String id = String.valueOf(Frame.read(line).member("id"));
        client.say("{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"error\":{\"code\":-32601,\"message\":\"no\"}}");
    }

    @Test
    void server_ping_is_answered_by_the_gateway() {
        try (StdioClient client = StdioClient.of(Servers.faulty("client-request=ping@1"))) {
            assertThat(client.echo("1", "after the ping")).isEqualTo("after the ping");
            assertThat(client.others()).isEmpty();
        }
    }

    @Test
    void unknown_protocol_version_closes_the_connection() {
        try (StdioClient client =
                StdioClient.silent(SessionSettings.of("server"), Servers.faulty("protocol-version=1999-12-31"))) {
            JsonView answer = client.ask("1", Frame.hello("1"));

            assertThat(Frame.kind(answer)).isEqualTo("connect_failed other not_sent");
            assertThat(Frame.fault(answer).string("message")).contains("1999-12-31");
            eventually(
                    "no child process is running",
                    () -> assertThat(client.children().live()).isEmpty());
        }
    }

    @Test
    void invalid_list_passes_unchanged() throws IOException {
        try (StdioClient client = StdioClient.of(Servers.faulty("duplicate-tool", "invalid-tools"))) {
            JsonView answer = client.ask("1", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}");

            JsonView tools = Objects.requireNonNull(answer.path("result", "tools"), "no tools");
            assertThat(tools.elements().stream().filter(tool -> "echo".equals(tool.string("name"))))
                    .hasSize(2);
            assertThat(tools.elements()).anyMatch(tool -> tool.member("name") == null);
        }
    }

    @Test
    void endless_list_is_paged_by_the_client() {
        try (StdioClient client = StdioClient.of(Servers.faulty("cursor-loop=3"))) {
            for (int i = 1; i <= 10; i++) {
                JsonView page = client.ask(
                        "" + i, "{\"jsonrpc\":\"2.0\",\"id\":" + i + ",\"method\":\"tools/list\",\"params\":{}}");
                assertThat(page.path("result", "nextCursor")).isNotNull();
            }
        }
    }

    @Test
    void burst_of_list_changes_delays_no_response_and_fills_no_memory() throws IOException {
        long before = Machine.heldBytes();
        try (StdioClient client = StdioClient.of(Servers.faulty("list-changed-storm=20000@1"));
                WebGateway gateway = WebGateway.of(Servers.faulty("list-changed-storm=20000@1"));
                WebClient web = gateway.connect().hello()) {
            AtomicInteger changes = new AtomicInteger();
            AtomicInteger answers = new AtomicInteger();
            client.onLine(line -> (line.contains("list_changed") ? changes : answers).incrementAndGet());
            client.say(Frame.echo("1", "after the storm"));

            assertThat(web.echo("1", "after the storm")).isEqualTo("after the storm");
            eventually("one answer has arrived", () -> assertThat(answers.get()).isEqualTo(1));
            assertThat(changes).hasPositiveValue();
            assertThat(Machine.heldBytes() - before).isLessThan(16 * MEBIBYTE);
        }
    }

    @Test
    void sent_stream_events_are_not_kept_forever() throws IOException {
        ChildSpec spec = doing(
                "log = b'{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",'",
                "log += b'\"params\":{\"level\":\"info\"}}\\n'",
                "say(log + answer(id, b'x' * (4 << 20)))");
        try (WebGateway gateway = WebGateway.of(spec);
                WebClient client = gateway.connect().hello()) {
            client.call("1", "any", "{}");
            long before = Machine.heldBytes();
            for (int i = 2; i <= 40; i++) {
                assertThat(Frame.text(client.call("" + i, "any", "{}"))).hasSize(4 * MEBIBYTE);
            }
            assertThat(Machine.heldBytes() - before).isLessThan(32 * MEBIBYTE);
            assertThat(gateway.sessions()).isEqualTo(1);
        }
    }

    @Test
    void every_concurrent_call_may_receive_progress() throws Exception {
        int calls = 100;
        try (WebGateway gateway = WebGateway.of(Servers.faulty());
                WebClient client = gateway.connect().hello()) {
            List<WebClient> callers = new ArrayList<>();
            for (int i = 1; i <= calls; i++) {
                WebClient caller = client.again();
                callers.add(caller);
                caller.send(("{\"jsonrpc\":\"2.0\",\"id\":" + i + ",\"method\":\"tools/call\",\"params\":{"
                                + "\"name\":\"test_tool_with_progress\",\"arguments\":{},"
                                + "\"_meta\":{\"progressToken\":\"of " + i + "\"}}}")
                        .getBytes(UTF_8));
            }
            for (int i = 1; i <= calls; i++) {
                List<String> events = callers.get(i - 1).answer().body().lines().toList();
                assertThat(events.getFirst()).contains("\"progressToken\":\"of " + i + "\"");
                assertThat(events.getLast()).contains("\"id\":" + i + ",").contains("\"result\"");
                callers.get(i - 1).close();
            }
        }
    }
}
