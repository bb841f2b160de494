package dev.fusebox.client.http;

import dev.fusebox.http.HttpHeaders;
import dev.fusebox.http.HttpServer;
import dev.fusebox.http.HttpSettings;
import dev.fusebox.platform.Platform;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import okhttp3.ConnectionPool;
import okhttp3.ConnectionSpec;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;

/// Speed, start and memory of the outbound HTTP client and of OkHttp, one process for each client and round
/// (docs/adr/0066); `run` takes turns. Belongs to the package of the client, which is package-private; runs on the
/// class path.
public final class ClientSpike {
    private static final Platform PLATFORM = Platform.system();
    private static final byte[] BODY = "x".repeat(1024).getBytes();
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private ClientSpike() {}

    /// Sends one POST and reads its whole response.
    private interface Client {
        int post(String url) throws Exception;
    }

    public static void main(String[] args) throws Exception {
        switch (args[0]) {
            case "serve" -> serve(Integer.parseInt(args[1]));
            case "start", "train" -> start(args[1], args[2], args[0].equals("start"));
            case "load" -> load(args[1], args[2]);
            default -> throw new IllegalArgumentException(args[0]);
        }
    }

    private static void serve(int port) throws Exception {
        byte[] large = new byte[5 << 20];
        HttpServer.open(HttpSettings.loopback(port),
                (request, reply) -> reply.respond(200, HttpHeaders.of("Content-Type", "application/json"),
                        request.path().equals("/large") ? large : request.body()), PLATFORM);
        new CountDownLatch(1).await();
    }

    private static Client open(String name) {
        return name.equals("ours") ? ours() : okHttp(name.equals("okhttp-plain"));
    }

    private static Client ours() {
        OutboundHttpClient client = OutboundHttpClient.open(PLATFORM, OutboundSettings.usual());
        return url -> {
            OutgoingRequest request = OutgoingRequest.post(
                    HttpTarget.of(URI.create(url)), List.of("Accept", "application/json, text/event-stream"), BODY);
            try (RequestTimer timer = RequestTimer.start(PLATFORM, LIMIT);
                    StreamingResponse response = client.send(request, timer)) {
                return response.bytes().length;
            }
        };
    }

    /// @param isPlain whether it is made without TLS, so that it reads no trust store
    private static Client okHttp(boolean isPlain) {
        OkHttpClient client = new OkHttpClient.Builder()
                .callTimeout(LIMIT)
                .readTimeout(Duration.ZERO)
                .retryOnConnectionFailure(false)
                .followRedirects(false)
                .connectionPool(new ConnectionPool(64, 15, TimeUnit.SECONDS))
                .connectionSpecs(isPlain
                        ? List.of(ConnectionSpec.CLEARTEXT)
                        : List.of(ConnectionSpec.MODERN_TLS, ConnectionSpec.CLEARTEXT))
                .build();
        MediaType json = MediaType.get("application/json");
        return url -> {
            Request request = new Request.Builder()
                    .url(url)
                    .header("Accept", "application/json, text/event-stream")
                    .header("Accept-Encoding", "identity")
                    .post(RequestBody.create(BODY, json))
                    .build();
            try (Response response = client.newCall(request).execute()) {
                return response.body().bytes().length;
            }
        };
    }

    /// From `main` to the first response, and the memory then.
    private static void start(String name, String url, boolean halts) throws Exception {
        long start = System.nanoTime();
        int[] length = new int[1];
        Thread.ofVirtual().start(() -> {
            try {
                length[0] = open(name).post(url + "/small");
            } catch (Exception failed) {
                throw new IllegalStateException(failed);
            }
        }).join();
        System.out.printf("%s first-response-ms %.1f rss-mb %.1f length %d%n",
                name, (System.nanoTime() - start) / 1e6, rss(), length[0]);
        if (halts) {
            Runtime.getRuntime().halt(0);
        }
        System.exit(0); // the JVM writes what it has recorded
    }

    private static void load(String name, String url) throws Exception {
        Client client = open(name);
        run(client, url + "/small", 32, 3);
        run(client, url + "/small", 1, 2);
        System.out.print(name + " one " + run(client, url + "/small", 1, 3));
        System.out.print(" many " + run(client, url + "/small", 32, 3));
        System.gc();
        PLATFORM.pause(Duration.ofMillis(500));
        System.out.printf(" rss-mb %.1f", rss());
        run(client, url + "/large", 1, 1);
        System.out.println(" large " + run(client, url + "/large", 1, 3));
        Runtime.getRuntime().halt(0);
    }

    /// Calls a second, p50 and p99, and the processor time of a call, in microseconds.
    private static String run(Client client, String url, int callers, int seconds) throws Exception {
        long processor = processorMicros();
        long start = System.nanoTime();
        long end = start + seconds * 1_000_000_000L;
        List<long[]> all = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < callers; i++) {
            threads.add(Thread.ofVirtual().start(() -> {
                long[] times = times(client, url, end);
                synchronized (all) {
                    all.add(times);
                }
            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        long[] times = all.stream().flatMapToLong(Arrays::stream).sorted().toArray();
        double took = (System.nanoTime() - start) / 1e9;
        return String.format("per-s %.0f p50 %.1f p99 %.1f cpu-us %.1f", times.length / took,
                times[times.length / 2] / 1e3, times[(int) (times.length * 0.99)] / 1e3,
                (processorMicros() - processor) / (double) times.length);
    }

    private static long[] times(Client client, String url, long end) {
        long[] times = new long[1 << 17];
        int count = 0;
        try {
            for (long begin = System.nanoTime(); begin < end && count < times.length; count++) {
                client.post(url);
                long now = System.nanoTime();
                times[count] = now - begin;
                begin = now;
            }
        } catch (Exception failed) {
            System.out.println(failed);
        }
        return Arrays.copyOf(times, count);
    }

    private static long processorMicros() {
        return ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO).toNanos() / 1_000;
    }

    private static double rss() throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
            if (line.startsWith("VmRSS")) {
                return Long.parseLong(line.replaceAll("\\D", "")) / 1024.0;
            }
        }
        return -1;
    }
}
