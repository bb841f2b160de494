package dev.fusebox.gateway.front;

import static dev.fusebox.gateway.front.Machine.PLATFORM;
import static dev.fusebox.testkit.Eventually.eventually;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.process.ChildSpec;
import dev.fusebox.config.SessionBounds;
import dev.fusebox.gateway.session.SessionSettings;
import dev.fusebox.protocol.JsonView;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Faults of clients, and that they affect only the client itself.
///
/// Over five seconds: hanging clients are awaited until their timeout.
@Tag("process")
@Timeout(120)
class ClientFaultsTest {
    private static final int MEBIBYTE = 1 << 20;
    private static final int ABANDONED = System.getProperty("long") == null ? 200 : 10_000;

    private static final List<String> GARBAGE = List.of(
            "no JSON",
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":",
            "{\"jsonrpc\":\"1.0\",\"id\":1,\"method\":\"x\"}",
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"id\":2,\"method\":\"x\"}",
            "{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"x\"}",
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":7}",
            "42",
            "\ufeff{}",
            "[".repeat(100_000) + "]".repeat(100_000),
            "{\"jsonrpc\":\"2.0\",\"id\":" + "7".repeat(100_000) + ",\"method\":\"x\"}");

    @TempDir
    private Path folder;

    private Path journal() {
        return folder.resolve("journal");
    }

    private long calls(String tool) {
        return Machine.journal(journal()).stream()
                .filter(line -> line.endsWith(" " + tool))
                .count();
    }

    // ---- Garbage

    @Test
    void garbage_on_stdio_is_rejected_and_the_session_continues() {
        try (StdioClient client = StdioClient.of(Servers.light())) {
            for (String garbage : GARBAGE) {
                client.say(garbage);
            }
            client.write(new byte[] {'"', (byte) 0xC3, '(', '"', '\n', 0, '\n', '\r', '\n', '\n'});
            client.say(" ".repeat(17 * MEBIBYTE));
            client.say("{\"jsonrpc\":\"2.0\",\"id\":\"long\",\"method\":\"x\",\"params\":{\"x\":\""
                    + "x".repeat(17 * MEBIBYTE) + "\"}}");

            assertThat(client.answer("\"long\"").path("error", "code")).hasToString("-32600");
            assertThat(client.call("\"after\"", "any", "{}").member("result")).isNotNull();
            assertThat(client.answer("1").path("error", "code")).hasToString("-32600");
            assertThat(client.answer("null").path("error", "code")).hasToString("-32700");
            assertThat(client.others()).allMatch(line -> line.contains("-32700") || line.contains("-32600"));
        }
    }

    @Test
    void garbage_in_a_request_is_rejected_and_the_session_continues() throws IOException {
        try (WebGateway gateway = WebGateway.of(Servers.light());
                WebClient client = gateway.connect().hello()) {
            for (String garbage : GARBAGE) {
                WebClient.Answer answer = client.post(garbage);
                assertThat(answer.status()).as(garbage).isEqualTo(400);
                assertThat(answer.body()).contains("\"error\"");
            }
            assertThat(client.post(new byte[0]).status()).isEqualTo(400);
            assertThat(client.post(new byte[] {(byte) 0xFF, 0, 10}).status()).isEqualTo(400);
            assertThat(client.call("1", "any", "{}").member("result")).isNotNull();
        }
    }

    // ---- Disconnecting

    @Test
    void client_that_closes_its_input_still_gets_its_responses() {
        for (int round = 0; round < 10; round++) {
            StdioClient client = StdioClient.of(Servers.echo());
            for (int i = 1; i <= 20; i++) {
                client.say(Frame.echo("" + i, "text " + i));
            }
            client.say("{\"jsonrpc\":\"2.0\",\"id\":\"p\",\"method\":\"ping\"}");
            client.say("no JSON");

            client.close(Duration.ofSeconds(20));
            client.awaitEnd();

            for (int i = 1; i <= 20; i++) {
                assertThat(Frame.text(client.answer("" + i))).isEqualTo("text " + i);
            }
            assertThat(client.isAnswered("\"p\"")).as("round %d", round).isTrue();
            assertThat(client.isAnswered("null")).isTrue();
            client.children().close();
        }
    }

    /// Including responses that need no server.
    @Test
    void last_responses_are_written_before_the_front_end_closes() {
        for (int round = 0; round < 300; round++) {
            StdioClient client = StdioClient.silent(SessionSettings.of("server"), Servers.light());
            client.say("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}");
            client.say(Frame.echo("2", "too early"));
            client.say("{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"ping\"}");

            client.close(Duration.ofSeconds(20));
            client.awaitEnd();

            assertThat(client.answered()).as("round %d", round).isEqualTo(3);
            client.children().close();
        }
    }

    @Test
    void drain_limit_bounds_the_wait_for_unfinished_calls() {
        StdioClient client = StdioClient.of(Servers.faulty("hang@1-20"));
        for (int i = 1; i <= 20; i++) {
            client.say(Frame.echo("" + i, "hangs"));
        }
        long server = client.pid();
        long begin = PLATFORM.ticker().nanos();

        client.close(Duration.ofMillis(300));
        client.awaitEnd();

        assertThat(Duration.ofNanos(PLATFORM.ticker().nanos() - begin)).isLessThan(Duration.ofSeconds(15));
        Machine.assertGone(List.of(server));
        client.children().close();
    }

    @Test
    void ten_thousand_requests_before_the_end_of_input_are_all_answered() {
        Machine.needsPython();
        StdioClient client = StdioClient.of(Servers.echo());
        for (int i = 1; i <= 10_000; i++) {
            client.say(Frame.echo("" + i, "x"));
        }

        client.close(Duration.ofSeconds(60));
        client.awaitEnd();

        // The handshake was answered, too.
        assertThat(client.answered()).isEqualTo(10_001);
        client.children().close();
    }

    @Test
    void call_continues_after_its_http_client_disconnects() throws IOException {
        try (WebGateway gateway = WebGateway.of(Servers.noting(journal()));
                WebClient client = gateway.connect().hello()) {
            client.echo("0", "warm");
            int before = Machine.descriptors();
            for (int i = 0; i < 3; i++) {
                WebClient leaving = client.again();
                leaving.send(
                        Frame.call("\"left " + i + "\"", "slow", "{\"ms\":300}").getBytes(UTF_8));
                // During the call: a connection that is reset before it was read has requested nothing.
                int begun = i + 1;
                eventually(
                        "every slow call has begun",
                        () -> assertThat(calls("slow")).isEqualTo(begun));
                switch (i) {
                    case 0 -> leaving.reset();
                    case 1 -> leaving.endSending();
                    default -> leaving.close();
                }
            }
            assertThat(client.echo("1", "same session")).isEqualTo("same session");
            assertThat(Machine.journal(journal())).noneMatch(line -> line.endsWith(":cancelled"));
            // One descriptor belongs to the test: its own end of the half-closed connection.
            eventually(
                    "the file descriptors are closed again",
                    () -> assertThat(Machine.descriptors()).isLessThanOrEqualTo(before + 1));
            assertThat(gateway.sessions()).isEqualTo(1);
        }
    }

    /// These sessions are never closed by their clients, and half of them had an open stream that was reset.
    @Test
    void abandoned_sessions_expire_with_their_servers() throws IOException {
        SessionBounds bounds = new SessionBounds(100, Duration.ofSeconds(2));
        try (WebGateway gateway = WebGateway.of(SessionSettings.of("server"), bounds, Servers.light())) {
            for (int i = 0; i < 20; i++) {
                WebClient client = gateway.connect().hello();
                if (i % 2 == 0) {
                    assertThat(client.listen().status()).isEqualTo(200);
                }
                client.close();
            }

            eventually(
                    "no session is open", () -> assertThat(gateway.sessions()).isEqualTo(0));
            eventually(
                    "no server process is running",
                    () -> assertThat(gateway.servers()).isEmpty());
        }
    }

    /// Over 5 s: each of the sessions has a process. `-Dlong` for 10,000.
    @Test
    void abandoned_sessions_make_room_for_new_ones() throws IOException {
        SessionBounds bounds = new SessionBounds(20, Duration.ofHours(1));
        try (WebGateway gateway = WebGateway.of(SessionSettings.of("server"), bounds, Servers.light())) {
            long before = 0;
            for (int i = 0; i < ABANDONED; i++) {
                try (WebClient client = gateway.connect()) {
                    client.hello();
                }
                assertThat(gateway.sessions()).isLessThanOrEqualTo(20);
                before = i == 100 ? Machine.heldBytes() : before;
            }
            eventually(
                    "at most 20 servers are running",
                    () -> assertThat(gateway.servers()).hasSizeLessThanOrEqualTo(20));
            assertThat(Machine.heldBytes() - before).isLessThan(16 * MEBIBYTE);
        }
    }

    // ---- Not reading

    @Test
    void stdio_client_that_does_not_read_is_disconnected() {
        Machine.needsPython();
        ChildSpec spec = Servers.python("""
                while True:
                    for line in read():
                        id = ident(line)
                        if id: say(answer(id, b'x' * (8 << 20)))
                """);
        long before = Machine.heldBytes();
        StdioClient client = StdioClient.deaf(SessionSettings.of("server"), spec);
        client.say(Frame.hello("0"));
        for (int i = 1; i <= 10; i++) {
            client.say(Frame.call("" + i, "any", "{}"));
        }

        eventually("the client has left", client::hasLeft);
        client.close(Duration.ofSeconds(10));
        client.children().close();

        assertThat(Machine.heldBytes() - before).isLessThan(100 * MEBIBYTE);
    }

    @Test
    void unread_stream_blocks_neither_its_session_nor_others() throws IOException {
        Machine.needsPython();
        ChildSpec spec = Servers.python("""
                told = b'{"jsonrpc":"2.0","method":"notifications/tools/list_changed",'
                told += b'"params":{"x":"' + b'x' * 100000 + b'"}}\\n'
                while True:
                    for line in read():
                        id = ident(line)
                        if id: say((b'' if b'"initialize"' in line else told * 20) + answer(id, text(line)))
                """);
        long before = Machine.heldBytes();
        try (WebGateway gateway = WebGateway.of(spec);
                WebClient client = gateway.connect().hello();
                WebClient deaf = client.again();
                WebClient other = gateway.connect().hello()) {
            assertThat(deaf.listen().status()).isEqualTo(200);
            for (int i = 1; i <= 100; i++) {
                assertThat(client.echo("" + i, "heard")).isEqualTo("heard");
            }
            assertThat(other.echo("1", "heard, too")).isEqualTo("heard, too");
            assertThat(Machine.heldBytes() - before).isLessThan(32 * MEBIBYTE);
        }
    }

    // ---- Cancelling

    /// A call whose response is being sent when its cancellation is read is answered anyway: the two have crossed
    /// (specification, section "Cancellation").
    @Test
    void cancellation_that_races_with_the_answer_does_no_harm() {
        Machine.needsPython();
        try (StdioClient client = StdioClient.of(Servers.echo())) {
            client.say(Frame.cancel("99999"));
            client.say(Frame.cancel("\"no such\""));
            client.say("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\"}");
            client.say(Frame.cancel("{}"));
            for (int i = 1; i <= 500; i++) {
                client.say(Frame.cancel("" + i));
                client.say(Frame.echo("" + i, "raced"));
                client.say(Frame.cancel("" + i));
                client.say(Frame.cancel("" + i));
                assertThat(client.echo("\"e" + i + "\"", "between")).isEqualTo("between");
            }
            // No error, and no second response.
            assertThat(client.others()).isEmpty();
            for (int i = 1; i <= 500; i++) {
                if (client.isAnswered("" + i)) {
                    assertThat(Frame.text(client.answer("" + i))).isEqualTo("raced");
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void cancelled_call_in_flight_is_not_answered_even_if_the_server_responds(boolean isStateless) {
        Machine.needsPython();
        ChildSpec spec = Servers.python("""
                held = b''
                while True:
                    for line in read():
                        id = ident(line)
                        if b'notifications/' in line: continue
                        if text(line) == b'held': held = id
                        elif text(line) == b'release': say(answer(held, b'late') + answer(id, b'release'))
                        elif id: say(answer(id, text(line)))
                """);
        try (StdioClient client =
                isStateless ? StdioClient.silent(SessionSettings.of("server"), spec) : StdioClient.of(spec)) {
            for (int i = 1; i <= 100; i++) {
                client.say(echo("" + i, "held", isStateless));
                // The server has the call: messages keep their order, and so do those of the client to the
                // gateway.
                client.ask("\"a" + i + "\"", echo("\"a" + i + "\"", "after it", isStateless));
                client.say(Frame.cancel("" + i));
                JsonView released = client.ask("\"r" + i + "\"", echo("\"r" + i + "\"", "release", isStateless));
                assertThat(Frame.text(released)).isEqualTo("release");
                assertThat(client.isAnswered("" + i)).as("call %d", i).isFalse();
            }
            assertThat(client.others()).isEmpty();
        }
    }

    private static String echo(String id, String text, boolean isStateless) {
        return isStateless ? Frame.statelessCall(id, "", "echo", "{\"text\":\"" + text + "\"}") : Frame.echo(id, text);
    }

    @Test
    void cancellation_reaches_the_server_with_its_own_request_id() {
        Machine.needsPython();
        ChildSpec spec = Servers.python("""
                held = b''
                while True:
                    for line in read():
                        id = ident(line)
                        if b'notifications/cancelled' in line:
                            cancelled = between(line, b'"requestId":', b',}')
                            same = b'[true]' if cancelled == held else b'[]'
                            say(b'{"jsonrpc":"2.0","method":"told","params":' + same + b'}\\n')
                        elif text(line) == b'held':
                            held = id
                            say(b'{"jsonrpc":"2.0","method":"told","params":[0]}\\n')
                        elif id: say(answer(id, text(line)))
                """);
        try (StdioClient client = StdioClient.of(spec)) {
            client.echo("1", "first");
            client.say(Frame.echo("\"mine\"", "held"));
            client.echo("2", "second");
            eventually(
                    "one other message has arrived",
                    () -> assertThat(client.others()).hasSize(1));
            client.say(Frame.cancel("\"mine\""));

            eventually(
                    "two other messages have arrived",
                    () -> assertThat(client.others()).hasSize(2));
            assertThat(client.others().getLast()).contains("\"params\":[true]");
            assertThat(client.isAnswered("\"mine\"")).isFalse();
        }
    }

    // ---- Ids

    @Test
    void duplicate_id_in_flight_is_rejected_within_a_session_only() throws IOException {
        Machine.needsPython();
        ChildSpec spec = Servers.python("""
                held = b''
                while True:
                    for line in read():
                        id = ident(line)
                        if text(line) == b'held': held = id
                        elif text(line) == b'let go': say(answer(held, b'held') + answer(id, b'gone'))
                        elif text(line) == b'held?': say(answer(id, b'yes' if held else b'no'))
                        elif id: say(answer(id, text(line)))
                """);
        try (WebGateway gateway = WebGateway.of(spec);
                WebClient one = gateway.connect().hello();
                WebClient again = one.again();
                WebClient other = gateway.connect().hello()) {
            one.send(Frame.echo("7", "held").getBytes(UTF_8));
            eventually("the call is held", () -> isHeld(again));

            JsonView twice = again.call("7", "echo", "{\"text\":\"twice\"}");

            assertThat(twice.path("error", "code")).hasToString("-32600");
            assertThat(other.echo("7", "elsewhere")).isEqualTo("elsewhere");
            assertThat(again.echo("\"7\"", "a text is no number")).isEqualTo("a text is no number");
            assertThat(again.echo("8", "let go")).isEqualTo("gone");
            assertThat(one.answer().body()).contains("\"held\"").contains("\"id\":7");
            assertThat(again.echo("7", "free again")).isEqualTo("free again");
        }
    }

    private static boolean isHeld(WebClient client) {
        try {
            return client.echo("9", "held?").equals("yes");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
