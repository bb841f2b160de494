package dev.fusebox.http;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.platform.Platform;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Random tests of many pipelined requests in pieces of random size, with handlers of every kind: whichever thread
/// reads, answers or takes over, no request is lost, answered twice or out of order.
@Timeout(120)
class InterleavingTest {
    private static final int CONNECTIONS = 8;
    private static final int REQUESTS = 2000;

    private final AtomicInteger gone = new AtomicInteger();

    @Test
    void every_request_is_answered_once_and_in_order() throws Exception {
        long seed = Long.getLong("fusebox.seed", 7);
        System.out.printf("seed %d%n", seed);
        try (HttpServer server = HttpServer.open(Transport.TCP.settings(), this::answer, Platform.system())) {
            ParallelTasks.run(CONNECTIONS, number -> talk(server, new SplittableRandom(seed + number)));
            eventually(
                    "no connection is open",
                    () -> assertThat(server.connections()).isEqualTo(0));
        }
        assertThat(gone.get())
                .as("no disconnect was reported while a request was being handled")
                .isZero();
    }

    private void answer(HttpRequest request, HttpReply reply) throws InterruptedException {
        byte[] path = request.path().getBytes(StandardCharsets.UTF_8);
        switch (request.body().length % 5) {
            case 0 -> reply.respond(200, HttpHeaders.none(), path);
            case 1 -> {
                reply.onClientGone(gone::incrementAndGet);
                reply.respond(200, HttpHeaders.none(), path);
            }
            case 2 -> {
                reply.onClientGone(gone::incrementAndGet);
                // Gives the watcher the time to block in its read, or to read ahead.
                Platform.system().pause(Duration.ofNanos(request.body().length * 1000L));
                reply.respond(200, HttpHeaders.none(), path);
            }
            case 3 -> {
                EventStream stream = reply.stream(200, HttpHeaders.none());
                Thread.ofVirtual().start(() -> end(stream, path));
            }
            default -> end(reply.stream(200, HttpHeaders.none()), path);
        }
    }

    private static void end(EventStream stream, byte[] path) {
        try (stream) {
            stream.event(null, path);
        }
    }

    private static void talk(HttpServer server, SplittableRandom random) throws Exception {
        int[] lengths = random.ints(REQUESTS, 0, 200).toArray();
        try (var client = RawClient.of(server)) {
            Thread sending = Thread.ofVirtual().start(() -> send(server, client, random, lengths));
            for (int i = 0; i < REQUESTS; i++) {
                String path = "/" + i;
                String expected = lengths[i] % 5 < 3 ? path : "data: " + path + "\n\n";
                assertThat(client.answer().body()).isEqualTo(expected);
            }
            sending.join();
        }
    }

    /// At most a few pipelined requests at a time, in pieces that end anywhere.
    private static void send(HttpServer server, RawClient client, SplittableRandom random, int[] lengths) {
        var text = new StringBuilder();
        for (int i = 0; i < lengths.length; i++) {
            text.append(Requests.post(server, "/" + i, "x".repeat(lengths[i])));
        }
        try {
            for (int at = 0; at < text.length(); ) {
                int end = Math.min(text.length(), at + 1 + random.nextInt(random.nextInt(10) == 0 ? 5000 : 400));
                client.send(text.substring(at, end));
                at = end;
            }
        } catch (IOException e) {
            throw new IllegalStateException("the server must continue to read", e);
        }
    }
}
