package dev.fusebox.http;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.platform.Platform;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Valid requests with bytes changed, doubled, removed and swapped, sent to a real server, each on a connection of
/// its own.
///
/// Takes over five seconds: a hundred thousand connections are opened.
@Tag("load")
@Timeout(300)
class MutationTest {
    private static final int COUNT = 100_000;
    private static final int THREADS = 4;

    private static final byte[] TASTY = "\r\n\0 \t:;,/?%.+-0\u0000".getBytes(StandardCharsets.ISO_8859_1);

    @Test
    void every_mutated_request_is_answered_or_closed_without_leaks() throws Exception {
        long seed = Long.getLong("fusebox.seed", 20_261_121);
        System.out.printf("seed %d%n", seed);
        var statuses = new TreeMap<Integer, Integer>();
        long start = System.nanoTime();
        long before = heap();
        try (HttpServer server = HttpServer.open(Transport.UNIX.settings(), MutationTest::answer, Platform.system())) {
            ParallelTasks.run(THREADS, number -> mutate(server, new SplittableRandom(seed + number), statuses));
            eventually(
                    "no connection is open",
                    () -> assertThat(server.connections()).isEqualTo(0));
            assertThat(heap()).as("bytes in use afterwards").isLessThan(before + (16 << 20));
            try (var client = RawClient.of(server)) {
                assertThat(client.send(Requests.get(server, "/")).answer().status())
                        .isEqualTo(200);
            }
        }
        System.out.printf(
                "%,d mutations in %,d ms, first answers %s%n",
                COUNT, Duration.ofNanos(System.nanoTime() - start).toMillis(), statuses);
        assertThat(statuses).containsKeys(200, 400, 403, 501, 505);
    }

    private static long heap() {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    private static void answer(HttpRequest request, HttpReply reply) {
        // Watching and streaming are tested, too.
        switch (request.body().length % 3) {
            case 0 -> reply.respond(200, HttpHeaders.none(), request.body());
            case 1 -> {
                reply.onClientGone(() -> {});
                reply.respond(200, HttpHeaders.none(), request.body());
            }
            default -> {
                try (EventStream stream = reply.stream(200, HttpHeaders.none())) {
                    stream.event(null, request.body());
                }
            }
        }
    }

    private static void mutate(HttpServer server, SplittableRandom random, Map<Integer, Integer> statuses)
            throws IOException {
        byte[][] good = goodRequests(server);
        for (int i = 0; i < COUNT / THREADS; i++) {
            byte[] request = mutated(good[random.nextInt(good.length)], random);
            String answers = exchange(server, request);
            int status = answers.isEmpty() ? 0 : Integer.parseInt(answers.substring(9, 12));
            synchronized (statuses) {
                statuses.merge(status, 1, Integer::sum);
            }
        }
    }

    private static String exchange(HttpServer server, byte[] request) throws IOException {
        try (var client = RawClient.of(server)) {
            try {
                client.send(request).endSending();
            } catch (IOException e) {
                // The server may have closed already; its response is still to be read.
                assertThat(e).hasMessageContaining("pipe");
            }
            String answers = client.rest();
            assertThat(answers).matches("(?s)(HTTP/1\\.1 [1-5]\\d\\d .*)?");
            return answers;
        }
    }

    private static byte[][] goodRequests(HttpServer server) {
        return List.of(
                        Requests.get(server, "/a%20b?c=d"),
                        Requests.post(server, "/mcp", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}"),
                        Requests.with(
                                        server,
                                        "POST /mcp HTTP/1.1",
                                        "Content-Type: application/json",
                                        "Mcp-Session-Id: 0123456789abcdef",
                                        "Origin: http://localhost",
                                        "Expect: 100-continue",
                                        "Transfer-Encoding: chunked")
                                + "4\r\nabcd\r\n1a\r\nabcdefghijklmnopqrstuvwxyz\r\n0\r\n\r\n",
                        Requests.post(server, "/1", "x")
                                + Requests.with(server, "HEAD /2 HTTP/1.1")
                                + Requests.get(server, "/3"))
                .stream()
                .map(text -> text.getBytes(StandardCharsets.ISO_8859_1))
                .toArray(byte[][]::new);
    }

    private static byte[] mutated(byte[] good, SplittableRandom random) {
        byte[] bytes = good.clone();
        for (int times = 1 + random.nextInt(3); times > 0; times--) {
            bytes = mutatedOnce(bytes, random);
        }
        return bytes;
    }

    private static byte[] mutatedOnce(byte[] bytes, SplittableRandom random) {
        if (bytes.length < 2) {
            return bytes;
        }
        int at = random.nextInt(bytes.length);
        return switch (random.nextInt(6)) {
            case 0 -> with(bytes, at, (byte) random.nextInt(256));
            case 1 -> with(bytes, at, TASTY[random.nextInt(TASTY.length)]);
            case 2 -> with(bytes, at, (byte) (bytes[at] ^ (1 << random.nextInt(8))));
            case 3 -> spliced(bytes, at, at, TASTY[random.nextInt(TASTY.length)]);
            case 4 -> spliced(bytes, at, Math.min(bytes.length, at + 1 + random.nextInt(8)));
            default -> spliced(bytes, at, at, Arrays.copyOfRange(bytes, at, Math.min(bytes.length, at + 20)));
        };
    }

    private static byte[] with(byte[] bytes, int at, byte other) {
        bytes[at] = other;
        return bytes;
    }

    /// The bytes with the range between two positions replaced.
    private static byte[] spliced(byte[] bytes, int from, int to, byte... between) {
        var spliced = new byte[bytes.length - (to - from) + between.length];
        System.arraycopy(bytes, 0, spliced, 0, from);
        System.arraycopy(between, 0, spliced, from, between.length);
        System.arraycopy(bytes, to, spliced, from + between.length, bytes.length - to);
        return spliced;
    }
}
