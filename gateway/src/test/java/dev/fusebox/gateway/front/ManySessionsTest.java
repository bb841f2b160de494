package dev.fusebox.gateway.front;

import static dev.fusebox.gateway.front.Machine.PLATFORM;
import static dev.fusebox.testkit.Eventually.eventually;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.process.ChildSpec;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Many sessions with a process each, concurrent and sequential. `-Dlong` for 1,000 cycles instead of 300.
///
/// Over five seconds: there are hundreds of processes.
@Tag("load")
@Timeout(300)
class ManySessionsTest {
    private static final int SERVERS = 300;
    private static final int CYCLES = System.getProperty("long") == null ? 300 : 1_000;
    private static final String TAG = "FUSEBOX_TEST_SESSIONS";

    /// Two seconds are the requirement; ten times that on a busy machine.
    private static final Duration ECHOED = Duration.ofSeconds(20);

    @TempDir
    private Path folder;

    private static ChildSpec tagged(String value) {
        return Servers.light().withEnv(Map.of(TAG, value));
    }

    @FunctionalInterface
    private interface Work {
        void on(int number) throws IOException;
    }

    /// Runs it for every number concurrently.
    private static void forAll(int count, Work work) throws InterruptedException {
        var failure = new AtomicReference<@Nullable Throwable>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int number = i;
            threads.add(Thread.ofVirtual().start(() -> {
                try {
                    work.on(number);
                } catch (IOException | AssertionError e) {
                    failure.compareAndSet(null, e);
                }
            }));
        }
        for (Thread thread : threads) {
            assertThat(thread.join(Duration.ofSeconds(100))).isTrue();
        }
        assertThat(failure.get()).isNull();
    }

    @Test
    void hundreds_of_servers_start_and_end_while_the_gateway_stays_responsive() throws Exception {
        Machine.needsLinux();
        var clients = new ConcurrentLinkedQueue<WebClient>();
        try (WebGateway gateway = WebGateway.of(tagged("crowd"))) {
            WebClient early = gateway.connect().hello();
            clients.add(early);
            var starting = new AtomicReference<@Nullable Throwable>();
            Thread starter = Thread.ofVirtual().start(() -> {
                try {
                    forAll(SERVERS - 1, i -> clients.add(gateway.connect().hello()));
                } catch (InterruptedException | AssertionError e) {
                    starting.set(e);
                }
            });
            long begin = PLATFORM.ticker().nanos();
            long slowest = 0;
            for (int i = 0; starter.isAlive(); i++) {
                long asked = PLATFORM.ticker().nanos();
                assertThat(early.call("" + i, "any", "{}").member("result")).isNotNull();
                slowest = Math.max(slowest, PLATFORM.ticker().nanos() - asked);
            }
            assertThat(starting.get()).isNull();
            long started = PLATFORM.ticker().nanos();
            List<WebClient> all = List.copyOf(clients);
            forAll(
                    SERVERS,
                    i -> assertThat(all.get(i).call("\"e\"", "any", "{}").member("result"))
                            .isNotNull());
            long echoed = PLATFORM.ticker().nanos() - started;
            System.out.printf(
                    "figures: %d sessions begun in %d ms, all answered in %d ms; a call meanwhile took %d ms at most%n",
                    SERVERS,
                    Duration.ofNanos(started - begin).toMillis(),
                    Duration.ofNanos(echoed).toMillis(),
                    Duration.ofNanos(slowest).toMillis());
            assertThat(Duration.ofNanos(echoed)).isLessThan(ECHOED);
            assertThat(Duration.ofNanos(slowest)).isLessThan(ECHOED);
            assertThat(gateway.servers()).hasSize(SERVERS);
            assertThat(Machine.carrying(TAG, "crowd")).hasSize(SERVERS);
            for (WebClient client : all) {
                client.close();
            }
        }
        assertThat(Machine.carrying(TAG, "crowd")).isEmpty();
        eventually(
                "no zombie process is left",
                () -> assertThat(Machine.zombiesOfOurs()).isEqualTo(0));
    }

    @Test
    void closed_sessions_leak_no_resources() throws Exception {
        Machine.needsLinux();
        try (WebGateway gateway = WebGateway.of(tagged("cycle"))) {
            cycle(gateway, 20);
            int descriptors = Machine.descriptors();
            int threads = Machine.threads();
            long held = Machine.heldBytes();

            cycle(gateway, CYCLES);

            assertThat(gateway.sessions()).isZero();
            eventually(
                    "no server process is running",
                    () -> assertThat(gateway.servers()).isEmpty());
            assertThat(Machine.carrying(TAG, "cycle")).isEmpty();
            eventually(
                    "no zombie process is left",
                    () -> assertThat(Machine.zombiesOfOurs()).isEqualTo(0));
            eventually(
                    "the file descriptors are closed again",
                    () -> assertThat(Machine.descriptors()).isLessThanOrEqualTo(descriptors));
            // The carriers of virtual threads come and go.
            eventually(
                    "the threads have ended",
                    () -> assertThat(Machine.threads()).isLessThanOrEqualTo(threads + 8));
            eventually(
                    "the memory is given back",
                    () -> assertThat(Machine.heldBytes() - held).isLessThan(8 << 20));
        }
    }

    private static void cycle(WebGateway gateway, int times) throws InterruptedException {
        int atOnce = 5;
        for (int i = 0; i < times; i += atOnce) {
            forAll(atOnce, number -> {
                try (WebClient client = gateway.connect()) {
                    client.hello();
                    assertThat(client.call("1", "any", "{}").member("result")).isNotNull();
                    assertThat(client.delete()).isEqualTo(200);
                }
            });
        }
        eventually(
                "no server process is running",
                () -> assertThat(gateway.servers()).isEmpty());
    }

    /// Its session ends during the handshake with a restarted server.
    @Test
    void session_that_ends_during_a_server_restart_leaves_no_process() throws Exception {
        Machine.needsLinux();
        String onceOnly = "read -r line; printf '{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":"
                + "{\"protocolVersion\":\"2025-11-25\"}}\\n'; read -r line; read -r line; exit 3";
        String script = "if mkdir \"$1/first\" 2>/dev/null; then " + onceOnly + "; else exec sleep 1000; fi";
        try (WebGateway gateway =
                        WebGateway.of(Servers.sh(script, folder.toString()).withEnv(Map.of(TAG, "again")));
                WebClient client = gateway.connect().hello()) {
            assertThat(Frame.kind(client.call("1", "any", "{}"))).startsWith("server_crashed");
            WebClient waiting = client.again();
            waiting.send(Frame.echo("2", "waits").getBytes(UTF_8));
            eventually(
                    "the server is running again",
                    () -> assertThat(Machine.carrying(TAG, "again")).hasSize(1));

            assertThat(client.delete()).isEqualTo(200);

            eventually(
                    "the tagged processes have ended",
                    () -> assertThat(Machine.carrying(TAG, "again")).isEmpty());
            waiting.close();
        }
    }
}
