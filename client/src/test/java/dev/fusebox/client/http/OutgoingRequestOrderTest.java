package dev.fusebox.client.http;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.Call;
import dev.fusebox.client.ClientMetadata;
import dev.fusebox.client.Deadline;
import dev.fusebox.client.Delivery;
import dev.fusebox.client.ErrorCode;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.SendOrder;
import dev.fusebox.client.SendSlot;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Requests of one client to a server over HTTP.
@Tag("process")
@Timeout(60)
class OutgoingRequestOrderTest {
    private static final String DONE = "{\"content\":[]}";
    private static final String ECHO = "{\"name\":\"echo\"}";

    private final SendOrder order = new SendOrder();

    private static RawServer server() throws IOException {
        return RawServer.start(RawServer.each(request -> RawServer.json(200, request.result(DONE))));
    }

    private static Outcome call(RecordingClient client, SendSlot slot, Duration limit) {
        Deadline deadline = new Deadline(limit, RecordingClient.LONG, client.platform.ticker());
        return client.connection.call(new Call(
                RecordingClient.request("1", "tools/call", ECHO),
                ClientMetadata.UNKNOWN,
                deadline,
                client,
                slot,
                List.of()));
    }

    @Test
    void request_is_written_after_earlier_ones() throws Exception {
        try (RawServer server = server();
                RecordingClient client = RecordingClient.at(server.uri())) {
            SendSlot first = order.next();
            SendSlot second = order.next();
            FutureTask<Outcome> later = new FutureTask<>(() -> call(client, second, RecordingClient.LONG));
            Thread thread = Thread.ofVirtual().start(later);
            eventually("the second request has a connection", () -> server.accepted.get() == 1);
            eventually("the second request waits", () -> thread.getState() == Thread.State.TIMED_WAITING);
            assertThat(server.received).isEmpty();

            first.release();

            assertThat(RecordingClient.answered(later.get(30, TimeUnit.SECONDS)))
                    .contains(DONE);
        }
    }

    @Test
    void written_request_lets_the_next_one_pass_before_its_response() throws Exception {
        try (RawServer server = server();
                RecordingClient client = RecordingClient.at(server.uri())) {
            SendSlot first = order.next();
            SendSlot second = order.next();

            assertThat(RecordingClient.answered(call(client, first, RecordingClient.LONG)))
                    .contains(DONE);

            assertThat(second.isTurn()).isTrue();
        }
    }

    @Test
    void request_that_times_out_while_waiting_is_not_sent() throws Exception {
        try (RawServer server = server();
                RecordingClient client = RecordingClient.at(server.uri())) {
            order.next();

            Outcome outcome = call(client, order.next(), Duration.ofMillis(200));

            assertThat(RecordingClient.failed(outcome).code()).isEqualTo(ErrorCode.TIMEOUT);
            assertThat(RecordingClient.failed(outcome).delivery()).isEqualTo(Delivery.NOT_SENT);
            assertThat(server.received).isEmpty();
        }
    }
}
