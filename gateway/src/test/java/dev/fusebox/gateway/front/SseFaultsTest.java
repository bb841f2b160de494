package dev.fusebox.gateway.front;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.process.ChildSpec;
import dev.fusebox.config.SessionBounds;
import dev.fusebox.gateway.session.SessionSettings;
import dev.fusebox.http.HttpTimes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Clients of revision 2024-11-05 that disconnect, do not read, or are too many, and the consequences.
@Tag("process")
@Timeout(120)
class SseFaultsTest {
    private static final int MEBIBYTE = 1 << 20;
    private static final Duration LONG = Duration.ofSeconds(100);

    /// Answers with as many MiB as its argument says, and then appends a byte to that file.
    private static final String LARGE = """
            import sys
            large = b'x' * (int(sys.argv[1]) << 20)
            while True:
                for line in read():
                    id = ident(line)
                    if id: say(answer(id, b'' if b'"initialize"' in line else large))
                    if id and len(sys.argv) > 2: open(sys.argv[2], 'a').write('x')
            """;

    @TempDir
    private Path folder;

    private static WebGateway of(SessionBounds bounds, ChildSpec spec) {
        return WebGateway.of(SessionSettings.of("server"), bounds, spec);
    }

    private static void assertNothingLeft(WebGateway gateway) {
        eventually("no session is open", () -> assertThat(gateway.sessions()).isEqualTo(0));
        eventually(
                "no server process is running",
                () -> assertThat(gateway.servers()).isEmpty());
    }

    // ---- Disconnecting

    enum Leaving {
        END,
        RESET,
        HALF;

        void by(SseClient client) throws IOException {
            switch (this) {
                case END -> client.close();
                case RESET -> client.reset();
                case HALF -> client.endSending();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void disconnect_during_a_call_ends_session_and_server(Leaving leaving) throws IOException {
        Path journal = folder.resolve("journal");
        try (WebGateway gateway = WebGateway.of(Servers.noting(journal));
                SseClient other = SseClient.of(gateway).hello()) {
            List<Long> ofOther = gateway.servers();
            SseClient client = SseClient.of(gateway).hello();
            client.tell(Frame.call("1", "slow", "{\"ms\":60000}"));
            eventually(
                    "the slow call is noted",
                    () -> Machine.journal(journal).stream().anyMatch(line -> line.endsWith(" slow")));

            leaving.by(client);

            eventually(
                    "one session is open", () -> assertThat(gateway.sessions()).isEqualTo(1));
            eventually(
                    "one server process is running",
                    () -> assertThat(gateway.servers()).hasSize(1));
            assertThat(gateway.servers()).isEqualTo(ofOther);
            assertThat(other.echo("1", "not concerned")).isEqualTo("not concerned");
            try (WebClient late = gateway.connect().at(client.endpoint())) {
                assertThat(late.post(Frame.echo("3", "late")).status()).isEqualTo(404);
            }
            client.close();
        }
    }

    @ParameterizedTest
    @EnumSource
    void disconnect_before_the_first_message_leaves_nothing(Leaving leaving) throws IOException {
        try (WebGateway gateway = WebGateway.of(Servers.light());
                SseClient client = SseClient.of(gateway)) {
            assertThat(gateway.sessions()).isEqualTo(1);
            assertThat(gateway.servers()).isEmpty();

            leaving.by(client);

            assertNothingLeft(gateway);
        }
    }

    /// Its server has been started and is silent.
    @Test
    void disconnect_during_the_handshake_leaves_nothing() throws IOException {
        try (WebGateway gateway = WebGateway.of(Servers.sh("exec sleep 1000"))) {
            try (SseClient client = SseClient.of(gateway)) {
                client.tell(Frame.hello("0"));
                eventually(
                        "one server process is running",
                        () -> assertThat(gateway.servers()).hasSize(1));
            }
            assertNothingLeft(gateway);
        }
    }

    @Test
    void disconnected_clients_leak_no_resources() throws IOException {
        Machine.needsLinux();
        try (WebGateway gateway = WebGateway.of(Servers.light())) {
            comeAndGo(gateway, 10);
            int descriptors = Machine.descriptors();
            long held = Machine.heldBytes();

            comeAndGo(gateway, 100);

            eventually(
                    "the file descriptors are closed again",
                    () -> assertThat(Machine.descriptors()).isLessThanOrEqualTo(descriptors));
            eventually(
                    "no zombie process is left",
                    () -> assertThat(Machine.zombiesOfOurs()).isEqualTo(0));
            eventually(
                    "the memory is given back",
                    () -> assertThat(Machine.heldBytes() - held).isLessThan(8 * MEBIBYTE));
        }
    }

    private static void comeAndGo(WebGateway gateway, int times) throws IOException {
        for (int i = 0; i < times; i++) {
            try (SseClient client = SseClient.of(gateway).hello()) {
                client.tell(Frame.call("1", "any", "{}"));
                assertThat(client.answer("1").member("result")).isNotNull();
            }
        }
        assertNothingLeft(gateway);
    }

    // ---- Several sessions

    @Test
    void sessions_with_equal_request_ids_never_mix() throws Exception {
        Machine.needsPython();
        var failure = new AtomicReference<@Nullable Throwable>();
        try (WebGateway gateway = WebGateway.of(Servers.echo())) {
            List<Thread> all = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                String name = "client " + i;
                all.add(Thread.ofVirtual().start(() -> failure.compareAndSet(null, echoAll(gateway, name))));
            }
            for (Thread thread : all) {
                assertThat(thread.join(LONG)).isTrue();
            }
        }
        assertThat(failure.get()).isNull();
    }

    /// The first error; null if there was none.
    private static @Nullable Throwable echoAll(WebGateway gateway, String name) {
        try (SseClient client = SseClient.of(gateway).hello()) {
            echoAll(client, name);
            return null;
        } catch (IOException | AssertionError e) {
            return e;
        }
    }

    private static void echoAll(SseClient client, String name) throws IOException {
        for (int first = 0; first < 500; first += 10) {
            for (int id = first; id < first + 10; id++) {
                client.tell(Frame.echo("" + id, name + " call " + id));
            }
            for (int i = 0; i < 10; i++) {
                var answer = client.message();
                assertThat(Frame.text(answer)).isEqualTo(name + " call " + Frame.answered(answer));
            }
        }
        assertThat(client.heard()).isEmpty();
    }

    /// Any client that knows the address may send, and the session's own stream gets the response.
    @Test
    void message_posted_to_another_session_is_answered_on_its_stream() throws IOException {
        Machine.needsPython();
        try (WebGateway gateway = WebGateway.of(Servers.echo());
                SseClient one = SseClient.of(gateway).hello();
                SseClient other = SseClient.of(gateway).hello();
                WebClient sender = gateway.connect().at(one.endpoint())) {
            WebClient.Answer answer = sender.post(Frame.echo("1", "for one"));

            assertThat(answer.status()).isEqualTo(202);
            assertThat(answer.body()).isEmpty();
            assertThat(Frame.text(one.answer("1"))).isEqualTo("for one");
            assertThat(other.echo("1", "for the other")).isEqualTo("for the other");
        }
    }

    @Test
    void both_session_types_share_one_limit_and_open_streams_are_not_evicted() throws IOException {
        try (WebGateway gateway = of(new SessionBounds(3, Duration.ofHours(1)), Servers.light());
                SseClient one = SseClient.of(gateway).hello();
                SseClient two = SseClient.of(gateway)) {
            WebClient idle = gateway.connect().hello();
            try (SseClient three = SseClient.of(gateway);
                    WebClient refused = gateway.connect().at("/sse")) {
                // The idle one was evicted.
                assertThat(idle.post(Frame.echo("1", "gone")).status()).isEqualTo(404);
                assertThat(refused.ask("GET", "").status()).isEqualTo(503);
                assertThat(idle.in("").post(Frame.hello("0")).status()).isEqualTo(503);
                assertThat(gateway.sessions()).isEqualTo(3);
                three.hello();
            }
            eventually(
                    "two sessions are open",
                    () -> assertThat(gateway.sessions()).isEqualTo(2));
            idle.hello();
            one.tell(Frame.call("1", "any", "{}"));
            assertThat(one.answer("1").member("result")).isNotNull();
            two.hello();
            idle.close();
        }
    }

    @Test
    void silent_session_lives_as_long_as_its_stream() throws IOException {
        try (WebGateway gateway = of(new SessionBounds(10, Duration.ofSeconds(2)), Servers.light());
                SseClient silent = SseClient.of(gateway);
                SseClient greeted = SseClient.of(gateway).hello();
                WebClient idle = gateway.connect().hello()) {
            eventually(
                    "two sessions are open",
                    () -> assertThat(gateway.sessions()).isEqualTo(2));
            assertThat(idle.post(Frame.echo("1", "gone")).status()).isEqualTo(404);

            silent.hello();
            greeted.tell(Frame.call("1", "any", "{}"));
            assertThat(greeted.answer("1").member("result")).isNotNull();
            assertThat(gateway.sessions()).isEqualTo(2);
        }
    }

    // ---- Not reading

    @Test
    void client_that_does_not_read_is_disconnected_when_too_much_is_queued() throws IOException {
        Machine.needsPython();
        try (WebGateway gateway = WebGateway.of(Servers.python(LARGE, "8"));
                SseClient deaf = SseClient.of(gateway).hello();
                SseClient other = SseClient.of(gateway).hello()) {
            for (int i = 1; i <= 12; i++) {
                deaf.messages().post(Frame.call("" + i, "any", "{}"));
            }
            eventually(
                    "one session is open", () -> assertThat(gateway.sessions()).isEqualTo(1));
            eventually(
                    "one server process is running",
                    () -> assertThat(gateway.servers()).hasSize(1));
            other.tell(Frame.call("1", "any", "{}"));
            assertThat(other.answer("1").member("result")).isNotNull();
        }
    }

    /// More than Streamable HTTP would queue on one stream is normal here: this one carries every response.
    @Test
    void client_that_reads_late_gets_all_responses() throws IOException {
        Machine.needsPython();
        Path answered = folder.resolve("answered");
        try (WebGateway gateway = WebGateway.of(Servers.python(LARGE, "1", answered.toString()));
                SseClient late = SseClient.of(gateway).hello()) {
            for (int i = 1; i <= 30; i++) {
                late.tell(Frame.call("" + i, "any", "{}"));
            }
            // The handshake was answered, too.
            eventually(
                    "the answer is written in full",
                    () -> assertThat(answered.toFile().length()).isEqualTo(31));
            for (int i = 1; i <= 30; i++) {
                assertThat(Frame.text(late.message())).hasSize(MEBIBYTE);
            }
        }
    }

    @Test
    void client_that_reads_nothing_for_too_long_is_disconnected_with_little_queued() throws IOException {
        Machine.needsPython();
        var times = new HttpTimes(LONG, LONG, LONG, Duration.ofMillis(500), Duration.ofSeconds(5));
        try (WebGateway gateway = WebGateway.of(times, Servers.python(LARGE, "15"));
                SseClient deaf = SseClient.of(gateway).hello()) {
            deaf.tell(Frame.call("1", "any", "{}"));

            assertNothingLeft(gateway);
        }
    }

    // ---- Shutdown

    @Test
    void calls_in_flight_are_answered_at_shutdown_before_the_stream_ends() throws Exception {
        try (WebGateway gateway = WebGateway.of(Servers.faulty());
                SseClient client = SseClient.of(gateway).hello()) {
            client.tell(Frame.call("1", "slow", "{\"ms\":1000}"));
            client.tell(Frame.call("2", "slow", "{\"ms\":500}"));
            Thread ending = Thread.ofVirtual().start(() -> gateway.drain(LONG));

            assertThat(List.of(Frame.text(client.message()), Frame.text(client.message())))
                    .containsExactlyInAnyOrder("waited 500 ms", "waited 1000 ms");
            assertThat(client.event()).isNull();
            assertThat(ending.join(LONG)).isTrue();
        }
    }

    @Test
    void unfinished_calls_fail_at_shutdown_before_the_stream_ends() throws Exception {
        Path journal = folder.resolve("journal");
        try (WebGateway gateway = WebGateway.of(Servers.noting(journal, "hang@1-3"));
                SseClient client = SseClient.of(gateway).hello()) {
            for (int i = 1; i <= 3; i++) {
                client.tell(Frame.echo("" + i, "hangs"));
            }
            eventually(
                    "3 calls are noted",
                    () -> assertThat(Machine.journal(journal)).hasSize(3));
            gateway.drain(Duration.ofMillis(50));

            for (int i = 1; i <= 3; i++) {
                assertThat(Frame.fault(client.message()).string("outcome")).isEqualTo("unknown");
            }
            assertThat(client.event()).isNull();
        }
    }

    @Test
    void no_stream_is_opened_during_shutdown() throws Exception {
        try (WebGateway gateway = WebGateway.of(Servers.faulty("hang@1"));
                SseClient client = SseClient.of(gateway).hello()) {
            client.tell(Frame.echo("1", "hangs"));
            Thread ending = Thread.ofVirtual().start(() -> gateway.drain(LONG));
            eventually(
                    "another stream is refused with 503",
                    () -> assertThat(streamStatus(gateway)).isEqualTo(503));

            client.tell(Frame.cancel("1"));

            assertThat(client.event()).isNull();
            assertThat(ending.join(LONG)).isTrue();
        }
    }

    private static int streamStatus(WebGateway gateway) {
        try (WebClient late = gateway.connect().at("/sse")) {
            return late.listen().status();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
