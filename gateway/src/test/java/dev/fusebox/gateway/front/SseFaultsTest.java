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

/// Clients of revision 2024-11-05 that leave, do not read, or are too many; and what that costs.
@Tag("process")
@Timeout(120)
class SseFaultsTest {
    private static final int MEBIBYTE = 1 << 20;
    private static final Duration LONG = Duration.ofSeconds(100);

    /// Answers with as many MiB as its command line says, and then makes that file a byte longer.
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

    // ---- Leaving

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
    void a_client_that_leaves_in_mid_call_takes_its_session_and_its_server_with_it(Leaving leaving) throws IOException {
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
    void a_client_that_leaves_before_its_first_message_leaves_nothing(Leaving leaving) throws IOException {
        try (WebGateway gateway = WebGateway.of(Servers.light());
                SseClient client = SseClient.of(gateway)) {
            assertThat(gateway.sessions()).isEqualTo(1);
            assertThat(gateway.servers()).isEmpty();

            leaving.by(client);

            assertNothingLeft(gateway);
        }
    }

    /// Its server has been started and says nothing.
    @Test
    void a_client_that_leaves_while_it_shakes_hands_leaves_nothing() throws IOException {
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
    void clients_that_come_and_go_leave_nothing_behind() throws IOException {
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

    // ---- Several

    @Test
    void sessions_with_the_same_ids_never_mix() throws Exception {
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

    /// What went wrong; null if nothing did.
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

    /// Whoever knows the address may send, and the session's own stream gets the answer.
    @Test
    void what_is_sent_to_the_session_of_another_is_answered_there() throws IOException {
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
    void both_kinds_of_sessions_have_one_bound_and_a_stream_that_is_open_makes_no_room() throws IOException {
        try (WebGateway gateway = of(new SessionBounds(3, Duration.ofHours(1)), Servers.light());
                SseClient one = SseClient.of(gateway).hello();
                SseClient two = SseClient.of(gateway)) {
            WebClient idle = gateway.connect().hello();
            try (SseClient three = SseClient.of(gateway);
                    WebClient refused = gateway.connect().at("/sse")) {
                // The idle one has made room.
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
    void a_session_that_says_nothing_lives_as_long_as_its_stream() throws IOException {
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
    void a_client_that_does_not_read_is_given_up_when_too_much_waits() throws IOException {
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

    /// What Streamable HTTP would not let wait on one stream is usual here: this one carries every answer.
    @Test
    void a_client_that_reads_late_gets_all_of_what_it_asked_for() throws IOException {
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
    void a_client_that_takes_nothing_for_too_long_is_given_up_however_little_waits() throws IOException {
        Machine.needsPython();
        var times = new HttpTimes(LONG, LONG, LONG, Duration.ofMillis(500), Duration.ofSeconds(5));
        try (WebGateway gateway = WebGateway.of(times, Servers.python(LARGE, "15"));
                SseClient deaf = SseClient.of(gateway).hello()) {
            deaf.tell(Frame.call("1", "any", "{}"));

            assertNothingLeft(gateway);
        }
    }

    // ---- The end

    @Test
    void calls_that_run_are_answered_before_the_gateway_ends_and_then_the_stream_ends() throws Exception {
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
    void calls_that_do_not_end_are_told_so_before_the_stream_ends() throws Exception {
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
    void no_stream_is_opened_while_the_gateway_ends() throws Exception {
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
