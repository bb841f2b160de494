package dev.fusebox.client.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.Call;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Caller;
import dev.fusebox.client.Connector;
import dev.fusebox.client.Deadline;
import dev.fusebox.client.Delivery;
import dev.fusebox.client.ErrorId;
import dev.fusebox.client.Evidence;
import dev.fusebox.client.FailureCategory;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.ReconnectingConnection;
import dev.fusebox.client.ServerMessageHandler;
import dev.fusebox.platform.Platform;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A server that asks for a pause.
@Timeout(120)
class RetryAfterGateTest {
    private static final String DONE = "{\"content\":[]}";
    private static final String ECHO = "{\"name\":\"echo\"}";

    private final AtomicLong later = new AtomicLong();
    private final Platform system = Platform.system();
    /// A platform whose clock can be advanced.
    private final Platform platform = new Platform(
            () -> system.ticker().nanos() + later.get(),
            system.wallClock(),
            system.random(),
            system.timers(),
            system.environment(),
            system.processes(),
            system.peerUsers());

    private static CallFailure refusal(int status, @Nullable Duration wait) {
        return new CallFailure(
                ErrorId.OVERLOADED, FailureCategory.LOCAL, Delivery.REJECTED, "pause", Evidence.ofHttp(status, wait));
    }

    private static CallFailure refused(RetryAfterGate retryAfterGate) {
        return Objects.requireNonNull(retryAfterGate.refusal(), "nothing is refused");
    }

    // ---- The gate

    @Test
    void pause_ends_after_its_duration() {
        AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5);
        RetryAfterGate retryAfterGate = new RetryAfterGate(now::get);
        assertThat(retryAfterGate.refusal()).isNull();

        retryAfterGate.record(refusal(429, Duration.ofSeconds(10)));
        now.addAndGet(Duration.ofSeconds(9).toNanos());
        CallFailure last = refused(retryAfterGate);
        assertThat(last.retryAfter()).isEqualTo(Duration.ofSeconds(1));
        assertThat(last.delivery()).isEqualTo(Delivery.NOT_SENT);

        now.addAndGet(Duration.ofSeconds(1).toNanos() - 1);
        assertThat(refused(retryAfterGate).retryAfter()).isEqualTo(Duration.ofMillis(1));
        now.incrementAndGet();
        assertThat(retryAfterGate.refusal()).isNull();
        assertThat(retryAfterGate.left()).isZero();
    }

    @Test
    void of_two_pauses_the_later_end_applies() {
        AtomicLong now = new AtomicLong();
        RetryAfterGate retryAfterGate = new RetryAfterGate(now::get);

        retryAfterGate.record(refusal(429, Duration.ofSeconds(10)));
        retryAfterGate.record(refusal(503, Duration.ofSeconds(3)));
        assertThat(retryAfterGate.left()).hasSeconds(10);
        retryAfterGate.record(refusal(503, Duration.ofSeconds(20)));
        assertThat(retryAfterGate.left()).hasSeconds(20);
        assertThat(refused(retryAfterGate).evidence().httpStatus()).isEqualTo(503);
    }

    @Test
    void rejection_without_a_positive_retry_after_has_no_effect() {
        RetryAfterGate retryAfterGate = new RetryAfterGate(() -> 0);

        retryAfterGate.record(refusal(429, null));
        retryAfterGate.record(refusal(503, Duration.ZERO));
        assertThat(retryAfterGate.refusal()).isNull();
    }

    // ---- With a server

    private Outcome call(ReconnectingConnection connection) {
        Deadline deadline = new Deadline(RecordingClient.LONG, RecordingClient.LONG, platform.ticker());
        return connection.call(new Call(RecordingClient.request("1", "tools/call", ECHO), deadline, Caller.SILENT));
    }

    private CallFailure failed(ReconnectingConnection connection) {
        return RecordingClient.failed(call(connection));
    }

    private ReconnectingConnection connection(Connector connector) {
        return new ReconnectingConnection(platform, connector, ServerMessageHandler.NONE, RecordingClient.LONG);
    }

    @ParameterizedTest
    @CsvSource({
        "429, 120, 120",
        "503, 120, 120",
        "429, 99999, 300",
        "429, 99999999999999999999, 300",
        "503, 'Fri, 31 Dec 9999 23:59:59 GMT', 300"
    })
    void f43_server_that_asks_for_a_pause_is_sent_nothing_until_its_end(int status, String header, long seconds)
            throws IOException {
        AtomicBoolean busy = new AtomicBoolean(true);
        RawServer.Answers answers = request -> busy.get()
                ? RawServer.plain(status, "text/plain", "", "Retry-After: " + header)
                : RawServer.json(200, request.result(DONE));
        try (RawServer server = RawServer.answering(answers);
                OutboundHttpClient outboundHttpClient =
                        OutboundHttpClient.open(platform, OutboundSettings.defaults())) {
            StreamableHttpConnector connector =
                    new StreamableHttpConnector(platform, outboundHttpClient, HttpTarget.of(server.uri()));
            ReconnectingConnection one = connection(connector);
            ReconnectingConnection other = connection(connector);
            assertThat(failed(one).delivery()).isEqualTo(Delivery.REJECTED);

            for (ReconnectingConnection each : new ReconnectingConnection[] {one, other, one}) {
                CallFailure failure = failed(each);
                assertThat(failure.delivery()).isEqualTo(Delivery.NOT_SENT);
                assertThat(failure.category()).isEqualTo(FailureCategory.LOCAL);
                assertThat(failure.evidence().httpStatus()).isEqualTo(status);
                assertThat(failure.retryAfter())
                        .isBetween(Duration.ofSeconds(seconds / 2), Duration.ofSeconds(seconds));
            }
            assertThat(server.received).hasSize(1);
            assertThat(server.accepted).hasValue(1);

            busy.set(false);
            later.addAndGet(Duration.ofSeconds(seconds).toNanos());
            assertThat(RecordingClient.answered(call(other))).contains(DONE);
            one.close();
            other.close();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "429, X-Other: 60",
        "503, X-Other: 60",
        "500, Retry-After: 60",
        "429, Retry-After: -60",
        "503, Retry-After:",
        "429, Retry-After: 31 Foo 2026"
    })
    void f43_next_call_is_sent_without_a_valid_retry_after(String status, String more) throws IOException {
        try (RawServer server = RawServer.answering(
                        request -> RawServer.plain(Integer.parseInt(status), "text/plain", "", more));
                OutboundHttpClient outboundHttpClient =
                        OutboundHttpClient.open(platform, OutboundSettings.defaults())) {
            ReconnectingConnection connection =
                    connection(new StreamableHttpConnector(platform, outboundHttpClient, HttpTarget.of(server.uri())));
            for (int i = 0; i < 3; i++) {
                assertThat(failed(connection).delivery()).isEqualTo(Delivery.REJECTED);
            }
            assertThat(server.received).hasSize(3);
            connection.close();
        }
    }

    @Test
    void f43_pause_also_applies_to_the_older_transport() throws IOException {
        try (RawServer server =
                        RawServer.answering(request -> RawServer.plain(503, "text/plain", "", "Retry-After: 60"));
                OutboundHttpClient outboundHttpClient =
                        OutboundHttpClient.open(platform, OutboundSettings.defaults())) {
            ReconnectingConnection connection =
                    connection(new SseConnector(platform, outboundHttpClient, HttpTarget.of(server.uri())));
            assertThat(failed(connection).retryAfter()).hasSeconds(60);
            assertThat(failed(connection).message()).contains("HTTP 503", "try again in");
            assertThat(server.received).hasSize(1);
        }
    }

    /// The pause is observed, and then the response comes.
    @Test
    void f43_stream_is_resumed_after_the_pause() throws IOException {
        AtomicLong refused = new AtomicLong();
        AtomicLong waited = new AtomicLong();
        RawServer.Answers answers = request -> {
            if (request.rpcMethod().equals("initialize")) {
                return RawServer.json(200, request.result("{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{}}"));
            }
            if (request.method().equals("GET")
                    && request.header("last-event-id").isEmpty()) {
                return RawServer.plain(405, "text/plain", "");
            }
            if (request.method().equals("GET")) {
                long now = system.ticker().nanos();
                if (refused.compareAndSet(0, now)) {
                    return RawServer.plain(429, "text/plain", "", "Retry-After: 1");
                }
                waited.set(now - refused.get());
                return RawServer.EVENTS + RawServer.chunk(RawServer.data(answer(request))) + RawServer.LAST_CHUNK;
            }
            return request.rpcMethod().equals("tools/call")
                    ? RawServer.EVENTS
                            + RawServer.chunk("id: " + request.id() + "\nretry: 1\ndata:\n\n")
                            + RawServer.LAST_CHUNK
                    : RawServer.ACCEPTED;
        };
        try (RawServer server = RawServer.answering(answers);
                RecordingClient client = RecordingClient.at(server.uri())) {
            client.initialize();
            assertThat(client.answer("tools/call", ECHO)).contains(DONE);
            assertThat(Duration.ofNanos(waited.get())).isGreaterThanOrEqualTo(Duration.ofSeconds(1));
        }
    }

    private static String answer(RawServer.Received request) {
        return "{\"jsonrpc\":\"2.0\",\"id\":" + request.header("last-event-id") + ",\"result\":" + DONE + "}";
    }
}
