package dev.fusebox.client.http;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Deadline;
import dev.fusebox.client.Delivery;
import dev.fusebox.client.ErrorCode;
import dev.fusebox.client.FailureCategory;
import dev.fusebox.client.Outcome;
import dev.fusebox.fixtures.server.FaultProxy;
import dev.fusebox.fixtures.server.LineFault;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Faulty connections over real sockets: refused, broken, silent, slow.
@Timeout(120)
class HttpFaultsTest {
    private static final String DONE = "{\"content\":[]}";
    private static final String ECHO = "{\"name\":\"echo\"}";
    private static final Duration SHORT = Duration.ofSeconds(1);
    /// How long a limit of one second may take on a busy machine.
    private static final Duration SLACK = Duration.ofSeconds(15);

    private static RawServer always(String answer) throws IOException {
        return RawServer.answering(request -> answer);
    }

    private static void assertEndsInTime(RecordingClient client, FailureCategory category, Delivery delivery) {
        long start = System.nanoTime();
        CallFailure failure = RecordingClient.failed(client.call("tools/call", ECHO, SHORT));
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(SLACK);
        assertThat(failure.code()).isEqualTo(ErrorCode.TIMEOUT);
        assertThat(failure.category()).isEqualTo(category);
        assertThat(failure.delivery()).isEqualTo(delivery);
    }

    // ---- F37

    @Test
    void f37_refused_connection_is_offline_and_not_sent() throws IOException {
        // No program listens there. A port that was free a moment ago may be taken by another test.
        try (RecordingClient client = RecordingClient.at(URI.create("http://127.0.0.1:1/mcp"))) {
            CallFailure failure = client.failure("tools/call", ECHO);

            assertThat(failure.code()).isEqualTo(ErrorCode.CONNECT_FAILED);
            assertThat(failure.category()).isEqualTo(FailureCategory.OFFLINE);
            assertThat(failure.delivery()).isEqualTo(Delivery.NOT_SENT);
            assertThat(client.outboundHttpClient.openConnections()).isZero();
        }
    }

    @Test
    void f37_reset_after_the_request_leaves_the_outcome_unknown() throws IOException {
        RawServer.Script script = wire -> {
            wire.next();
            wire.reset();
        };
        try (RawServer server = RawServer.start(script);
                RecordingClient client = RecordingClient.at(server.uri())) {
            CallFailure failure = client.failure("tools/call", ECHO);

            assertThat(failure.category()).isEqualTo(FailureCategory.OFFLINE);
            assertThat(failure.delivery()).isEqualTo(Delivery.UNKNOWN);
            assertThat(server.received).hasSize(1);
        }
    }

    @Test
    void f37_reset_during_the_response_leaves_the_outcome_unknown() throws IOException {
        RawServer.Script script = wire -> {
            wire.next();
            wire.write("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{\"json");
            wire.reset();
        };
        try (RawServer server = RawServer.start(script);
                RecordingClient client = RecordingClient.at(server.uri())) {
            assertThat(client.failure("tools/call", ECHO).delivery()).isEqualTo(Delivery.UNKNOWN);
        }
    }

    // ---- F38, F39

    @Test
    void f38_server_that_does_not_accept_fails_after_the_connect_timeout() throws IOException {
        try (RawServer server = always(RawServer.ACCEPTED);
                FaultProxy proxy = FaultProxy.to(server.port());
                RecordingClient client = RecordingClient.at(
                        proxy.through(server.uri()), OutboundSettings.defaults().withConnectTimeout(SHORT))) {
            proxy.set(new LineFault.Unanswered());
            long start = System.nanoTime();

            CallFailure failure = client.failure("tools/call", ECHO);

            assertThat(Duration.ofNanos(System.nanoTime() - start)).isBetween(Duration.ofMillis(900), SLACK);
            assertThat(failure.category()).isEqualTo(FailureCategory.OFFLINE);
            assertThat(failure.delivery()).isEqualTo(Delivery.NOT_SENT);
            assertThat(client.outboundHttpClient.openConnections()).isZero();
        }
    }

    @Test
    void f38_call_that_times_out_while_connecting_is_local() throws IOException {
        try (RawServer server = always(RawServer.ACCEPTED);
                FaultProxy proxy = FaultProxy.to(server.port());
                RecordingClient client = RecordingClient.at(
                        proxy.through(server.uri()),
                        OutboundSettings.defaults().withConnectTimeout(RecordingClient.LONG))) {
            proxy.set(new LineFault.Unanswered());

            assertEndsInTime(client, FailureCategory.LOCAL, Delivery.NOT_SENT);
        }
    }

    @Test
    void f39_connection_that_goes_silent_after_the_request_times_out_and_is_not_reused() throws IOException {
        try (RawServer server = RawServer.answering(request -> RawServer.json(200, request.result(DONE)));
                FaultProxy proxy = FaultProxy.to(server.port());
                RecordingClient client = RecordingClient.at(proxy.through(server.uri()))) {
            client.answer("tools/call", ECHO);
            proxy.set(new LineFault.BlackHole());
            assertEndsInTime(client, FailureCategory.OFFLINE, Delivery.UNKNOWN);
            proxy.set(new LineFault.None());

            assertThat(client.answer("tools/call", ECHO)).contains(DONE);
            assertThat(server.accepted).hasValue(2);
        }
    }

    // ---- F40

    @Test
    void f40_connection_closed_while_idle_is_replaced_before_anything_is_sent() throws Exception {
        CountDownLatch closed = new CountDownLatch(1);
        RawServer.Script script = wire -> {
            RawServer.Received request = wire.next();
            wire.write(RawServer.json(200, request == null ? "" : request.result(DONE)));
            wire.socket.close();
            closed.countDown();
        };
        try (RawServer server = RawServer.start(script);
                RecordingClient client = RecordingClient.at(server.uri())) {
            client.answer("tools/call", ECHO);
            assertThat(closed.await(20, TimeUnit.SECONDS)).isTrue();

            assertThat(client.answer("tools/call", ECHO)).contains(DONE);
            assertThat(server.received).hasSize(2);
        }
    }

    @Test
    void f40_request_is_not_repeated_if_the_connection_closes_after_it() throws IOException {
        AtomicInteger requests = new AtomicInteger();
        RawServer.Answers first =
                request -> requests.incrementAndGet() == 1 ? RawServer.json(200, request.result(DONE)) : null;
        try (RawServer server = RawServer.answering(first);
                RecordingClient client = RecordingClient.at(server.uri())) {
            client.answer("tools/call", ECHO);

            assertThat(client.failure("tools/call", ECHO).delivery()).isEqualTo(Delivery.UNKNOWN);
            assertThat(server.received).hasSize(2);
            assertThat(server.accepted).hasValue(1);
        }
    }

    @Test
    void f40_unsolicited_bytes_are_not_taken_for_a_response() throws Exception {
        CountDownLatch said = new CountDownLatch(1);
        RawServer.Script script = wire -> {
            RawServer.Received request = wire.next();
            wire.write(RawServer.json(200, request == null ? "" : request.result(DONE)));
            wire.write(RawServer.json(200, "{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"forged\":true}}"));
            said.countDown();
            wire.next();
        };
        try (RawServer server = RawServer.start(script);
                RecordingClient client = RecordingClient.at(server.uri())) {
            client.answer("tools/call", ECHO);
            assertThat(said.await(20, TimeUnit.SECONDS)).isTrue();

            assertThat(client.answer("tools/call", ECHO)).doesNotContain("forged");
            assertThat(server.accepted).hasValue(2);
        }
    }

    // ---- F41

    @ParameterizedTest
    @ValueSource(strings = {"HTTP/1.1 200 OK\r\nX: ", "BODY", "EVENTS"})
    void f41_slow_response_ends_at_the_deadline(String where) throws IOException {
        String begin = switch (where) {
            case "BODY" -> "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 99999\r\n\r\n";
            case "EVENTS" -> RawServer.EVENTS_TO_END + "data: ";
            default -> where;
        };
        RecordingClient[] one = new RecordingClient[1];
        RawServer.Script script = wire -> {
            wire.next();
            wire.write(begin);
            while (true) {
                wire.write(" ");
                pause(one[0]);
            }
        };
        try (RawServer server = RawServer.start(script);
                RecordingClient client = RecordingClient.at(server.uri())) {
            one[0] = client;
            assertEndsInTime(client, FailureCategory.OFFLINE, Delivery.UNKNOWN);
            eventually(
                    "no connection is open",
                    () -> assertThat(client.outboundHttpClient.openConnections())
                            .isZero());
        }
    }

    @Test
    void f41_call_to_a_server_that_stops_reading_can_be_cancelled() throws IOException {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch over = new CountDownLatch(1);
        RawServer.Script script = wire -> {
            wire.socket.getInputStream().readNBytes(100);
            begun.countDown();
            await(over);
        };
        try (RawServer server = RawServer.start(script);
                RecordingClient client = RecordingClient.at(server.uri())) {
            // Larger than the buffers of both ends.
            String large = "{\"name\":\"" + "x".repeat(16 << 20) + "\"}";
            Deadline deadline = new Deadline(RecordingClient.LONG, RecordingClient.LONG, client.platform.ticker());
            Thread.ofVirtual().start(() -> {
                await(begun);
                deadline.giveUp();
            });
            CallFailure failure = RecordingClient.failed(client.call("tools/call", large, deadline));
            over.countDown();

            assertThat(failure.code()).isEqualTo(ErrorCode.CANCELLED);
            assertThat(failure.delivery()).isEqualTo(Delivery.UNKNOWN);
            assertThat(client.outboundHttpClient.openConnections()).isZero();
        }
    }

    // ---- F96

    /// In each case, the deadline passed while the process did not run.
    @ParameterizedTest
    @ValueSource(strings = {"answer", "silence", "reset"})
    void f96_response_that_arrived_during_a_suspension_is_read_before_the_timeout(String what) throws IOException {
        AtomicLong now = new AtomicLong();
        Deadline deadline = new Deadline(Duration.ofMinutes(1), Duration.ZERO, now::get);
        CountDownLatch over = new CountDownLatch(1);
        RawServer.Script script = wire -> {
            RawServer.Received request = wire.next();
            now.addAndGet(Duration.ofMinutes(2).toNanos());
            // Like a timer that was scheduled before.
            deadline.go();
            if (what.equals("reset")) {
                wire.reset();
                return;
            }
            if (what.equals("silence")) {
                await(over);
            }
            wire.write(RawServer.json(200, request == null ? "" : request.result(DONE)));
        };
        try (RawServer server = RawServer.start(script);
                RecordingClient client = RecordingClient.at(server.uri())) {
            Outcome outcome = client.call("tools/call", ECHO, deadline);
            over.countDown();

            if (what.equals("answer")) {
                assertThat(RecordingClient.answered(outcome)).contains(DONE);
            } else {
                assertThat(RecordingClient.failed(outcome).category()).isEqualTo(FailureCategory.LOCAL);
                assertThat(RecordingClient.failed(outcome).message()).contains("was suspended for at least 60 s");
            }
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private static void pause(RecordingClient client) throws IOException {
        try {
            client.platform.pause(Duration.ofMillis(100));
        } catch (InterruptedException over) {
            throw new IOException(over);
        }
    }
}
