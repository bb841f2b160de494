package dev.fusebox.client.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.Call;
import dev.fusebox.client.Caller;
import dev.fusebox.client.Deadline;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.ReplyHandler;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Two clients with the same ids and shared connections, and a server that responds in every possible way, and
/// sometimes sends messages of other calls. `-Dmix.calls=1000000` is the long form.
class MixTest {
    private static final int CALLS = Integer.getInteger("mix.calls", 10_000);
    private static final int CALLERS = 16;
    /// The order of the calls varies; the behavior of the server does not.
    private static final long SEED = 4;

    /// One call: its text, and all messages that it received.
    private record Attempt(String text, Queue<String> received) implements Caller {
        @Override
        public void progress(byte[] frame) {
            received.add(new String(frame, UTF_8));
        }

        @Override
        public void onNotification(Message.Notification notification) {
            received.add(notification.frame().json());
        }

        @Override
        public boolean onRequest(ReplyHandler replyHandler, Message.Request question) {
            received.add(question.frame().json());
            return false;
        }
    }

    private static String progress(String token, String text) {
        return "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progressToken\":" + token
                + ",\"progress\":1,\"message\":\"" + text + "\"}}";
    }

    /// As JSON or as a stream, with unrelated messages, and sometimes with the end of the connection.
    private static String answer(RawServer.Received request, SplittableRandom random) {
        JsonView params = request.json().member("params");
        String text = params == null ? "" : String.valueOf(params.string("text"));
        String token = params == null ? "" : String.valueOf(params.path("_meta", "progressToken"));
        String right = request.result("{\"text\":\"" + text + "\"}");
        if (random.nextInt(3) == 0) {
            return RawServer.json(200, right);
        }
        long other = Long.parseLong(request.id()) + random.nextInt(-3, 4);
        String stray = "{\"jsonrpc\":\"2.0\",\"id\":" + other + ",\"result\":{\"text\":\"stray\"}}";
        boolean strays = other != Long.parseLong(request.id());
        return RawServer.EVENTS
                + RawServer.chunk(RawServer.data(progress(token, text)))
                + (strays ? RawServer.chunk(RawServer.data(stray)) : "")
                + RawServer.chunk(RawServer.data(right))
                + RawServer.LAST_CHUNK;
    }

    @Test
    @Timeout(900)
    void two_clients_with_the_same_ids_never_get_messages_of_the_other() throws Exception {
        SplittableRandom random = new SplittableRandom(SEED);
        AtomicInteger right = new AtomicInteger();
        try (RawServer server = RawServer.answering(request -> answer(request, split(random)));
                RecordingClient one = RecordingClient.at(server.uri());
                RecordingClient other = new RecordingClient(one.outboundHttpClient, HttpTarget.of(server.uri()))) {
            List<Thread> callers = new ArrayList<>();
            for (int i = 0; i < CALLERS; i++) {
                RecordingClient client = i % 2 == 0 ? one : other;
                String name = "caller-" + i + "-";
                callers.add(Thread.ofVirtual().start(() -> right.addAndGet(rightCalls(client, name))));
            }
            for (Thread caller : callers) {
                caller.join();
            }
            assertThat(right).hasValue(CALLS / CALLERS * CALLERS);
            assertThat(one.connection.dropped() + other.connection.dropped()).isGreaterThan(CALLS / 10);
        }
    }

    private static int rightCalls(RecordingClient client, String name) {
        int right = 0;
        for (int call = 0; call < CALLS / CALLERS; call++) {
            right += isRight(client, name + call, call) ? 1 : 0;
        }
        return right;
    }

    private static SplittableRandom split(SplittableRandom random) {
        synchronized (random) {
            return random.split();
        }
    }

    private static boolean isRight(RecordingClient client, String text, int id) {
        Attempt attempt = new Attempt(text, new ConcurrentLinkedQueue<>());
        String params = "{\"text\":\"" + text + "\",\"_meta\":{\"progressToken\":" + id % 10 + "}}";
        Message.Request request = RecordingClient.request(Integer.toString(id % 10), "tools/call", params);
        Deadline deadline = new Deadline(RecordingClient.LONG, RecordingClient.LONG, client.platform.ticker());
        Outcome outcome = client.connection.call(new Call(request, deadline, attempt));
        String own = "\"text\":\"" + text + "\"";
        boolean isOwn = outcome instanceof Outcome.Answered answered
                && answered.answer().frame().json().contains(own);
        return isOwn
                && attempt.received.stream()
                        .allMatch(received -> received.contains("\"message\":\"" + text + "\"")
                                && received.contains("\"progressToken\":" + id % 10 + ","));
    }
}
