package dev.fusebox.client.http;

import static dev.fusebox.client.http.ScriptedServer.ARRIVED;
import static dev.fusebox.client.http.ScriptedServer.HEADS;
import static dev.fusebox.client.http.ScriptedServer.answer;
import static dev.fusebox.client.http.ScriptedServer.head;

import dev.fusebox.platform.Platform;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import okhttp3.Call;
import okhttp3.EventListener;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;

/// What the outbound HTTP client and OkHttp do where ADR 0011 requires something, on raw sockets: a line for each
/// case and client (docs/adr/0066).
public final class ClientBehaviour {
    private static final Platform PLATFORM = Platform.system();
    private static final byte[] BODY = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}".getBytes();
    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}";

    private ClientBehaviour() {}

    public static void main(String[] args) throws Exception {
        for (boolean ours : new boolean[] {true, false}) {
            System.out.println(ours ? "== ours" : "== OkHttp");
            closedConnections(ours);
            limits(ours);
            malformed(ours);
            repeated(ours);
            HEADS.clear();
            viaProxy(ours);
            say("request line to a proxy", HEADS.getFirst().lines().findFirst().orElse(""));
        }
        System.out.println("== OkHttp with its default settings");
        ARRIVED.set(0);
        try (ServerSocket server = ScriptedServer.open(ClientBehaviour::answerOnceThenClose)) {
            OkHttpClient client = new OkHttpClient();
            String both = ok(client, url(server), new Sent()) + ", " + ok(client, url(server), new Sent());
            say("server closes a kept connection after the second POST", both + ", arrived " + ARRIVED);
        }
        AtomicInteger lookups = new AtomicInteger();
        try (ServerSocket server = ScriptedServer.open(ClientBehaviour::answerOnceThenClose)) {
            OkHttpClient client = new OkHttpClient.Builder()
                    .dns(name -> {
                        lookups.incrementAndGet();
                        return List.of(InetAddress.getAllByName(name));
                    })
                    .build();
            say("calls of its Dns hook for a literal address", ok(client, url(server), new Sent()) + ", " + lookups);
        }
        System.exit(0);
    }

    private static void say(String what, String result) {
        System.out.println("  " + what + ": " + result);
    }

    private static void answerOnceThenClose(Socket socket) throws Exception {
        head(socket);
        answer(socket, OK);
        head(socket);
    }

    private static void closedConnections(boolean ours) throws Exception {
        say("idle connections closed 20 ms after a response, 100 POSTs 50 ms apart", tally(ours, 100, 50, socket -> {
            head(socket);
            answer(socket, OK);
            PLATFORM.pause(Duration.ofMillis(20));
        }));
        say("kept connection closed after the second POST", tally(ours, 2, 0, ClientBehaviour::answerOnceThenClose));
    }

    private static void limits(boolean ours) throws Exception {
        say("body of 60 bytes, one per 100 ms, limit 1 s", one(ours, 1, socket -> {
            head(socket);
            answer(socket, "HTTP/1.1 200 OK\r\nContent-Length: 60\r\n\r\n");
            for (int i = 0; i < 60; i++) {
                answer(socket, "x");
                PLATFORM.pause(Duration.ofMillis(100));
            }
        }));
        say("endless response head", one(ours, 10, socket -> {
            head(socket);
            answer(socket, "HTTP/1.1 200 OK\r\n");
            for (int i = 0; ; i++) {
                answer(socket, "X-" + i + ": " + "y".repeat(1000) + "\r\n");
            }
        }));
    }

    private static void malformed(boolean ours) throws Exception {
        for (String bad : List.of(
                "HTTP/1.1 200 OK\nContent-Length: 2\n\n{}",
                "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{} ",
                "HTTP/1.1 200 OK\r\nContent-Length: 9\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: +2\r\n\r\n{}",
                "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nX-A: b\r\n folded\r\n\r\n{}",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
                "ICY 200 OK\r\nContent-Length: 2\r\n\r\n{}")) {
            say(bad.replace("\r", "\\r").replace("\n", "\\n"), one(ours, 2, socket -> {
                head(socket);
                answer(socket, bad);
                PLATFORM.pause(Duration.ofMillis(50));
            }));
        }
    }

    private static void repeated(boolean ours) throws Exception {
        for (String status : List.of("503 Any\r\nRetry-After: 0", "408 Any", "307 Any\r\nLocation: /other")) {
            ARRIVED.set(0);
            String result = one(ours, 3, socket -> {
                while (true) {
                    head(socket);
                    answer(socket, "HTTP/1.1 " + status + "\r\nContent-Length: 0\r\n\r\n");
                }
            });
            say("status " + status.replace("\r\n", ", "), result + ", arrived " + ARRIVED);
        }
    }

    private static String tally(boolean ours, int calls, int pause, ScriptedServer.Script script) throws Exception {
        ARRIVED.set(0);
        var outcomes = new TreeMap<String, Integer>();
        try (ServerSocket server = ScriptedServer.open(script)) {
            OkHttpClient ok = plain(5);
            OutboundHttpClient own = OutboundHttpClient.open(PLATFORM, OutboundSettings.usual());
            for (int i = 0; i < calls; i++) {
                String outcome = ours ? own(own, url(server), 5) : ok(ok, url(server), new Sent());
                outcomes.merge(outcome.replaceFirst(" on http.*", ""), 1, Integer::sum);
                PLATFORM.pause(Duration.ofMillis(pause));
            }
        }
        return outcomes + ", arrived " + ARRIVED.get();
    }

    private static String one(boolean ours, int limit, ScriptedServer.Script script) throws Exception {
        try (ServerSocket server = ScriptedServer.open(script)) {
            long start = System.nanoTime();
            String outcome = ours
                    ? own(OutboundHttpClient.open(PLATFORM, OutboundSettings.usual()), url(server), limit)
                    : ok(plain(limit), url(server), new Sent());
            return outcome + String.format(" after %.2f s", (System.nanoTime() - start) / 1e9);
        }
    }

    private static void viaProxy(boolean ours) throws Exception {
        try (ServerSocket proxy = ScriptedServer.open(socket -> {
            head(socket);
            answer(socket, "HTTP/1.1 403 No\r\nContent-Length: 0\r\n\r\n");
        })) {
            if (ours) {
                var rules = ProxyRules.always(HttpProxy.parse("http://127.0.0.1:" + proxy.getLocalPort()));
                var client = OutboundHttpClient.open(PLATFORM, OutboundSettings.usual().withProxies(rules));
                own(client, "http://tools.example/mcp", 2);
            } else {
                var address = new InetSocketAddress("127.0.0.1", proxy.getLocalPort());
                OkHttpClient client = plain(2).newBuilder().proxy(new Proxy(Proxy.Type.HTTP, address)).build();
                ok(client, "http://tools.example/mcp", new Sent());
            }
        }
    }

    private static OkHttpClient plain(int limit) {
        return new OkHttpClient.Builder().callTimeout(Duration.ofSeconds(limit)).readTimeout(Duration.ZERO)
                .retryOnConnectionFailure(false).followRedirects(false).build();
    }

    private static String url(ServerSocket server) {
        return "http://127.0.0.1:" + server.getLocalPort() + "/mcp";
    }

    private static String own(OutboundHttpClient client, String url, int limit) {
        OutgoingRequest request =
                OutgoingRequest.post(HttpTarget.of(URI.create(url)), List.of("Accept", "application/json"), BODY);
        try (RequestTimer timer = RequestTimer.start(PLATFORM, Duration.ofSeconds(limit));
                StreamingResponse response = client.send(request, timer)) {
            return response.status() + " (" + response.bytes().length + " bytes)";
        } catch (HttpFailure failure) {
            return "failure, delivery " + failure.failure().delivery();
        } catch (IOException e) {
            return e.getClass().getSimpleName();
        }
    }

    /// What an event listener can say of a request: nothing of it was written, or perhaps something.
    private static final class Sent extends EventListener {
        private String state = "NOT_SENT";

        @Override
        public void requestHeadersStart(Call call) {
            state = "UNKNOWN";
        }
    }

    private static String ok(OkHttpClient client, String url, Sent sent) {
        OkHttpClient watched = client.newBuilder().eventListener(sent).build();
        try (Response response = watched.newCall(request(url)).execute()) {
            return response.code() + " (" + response.body().bytes().length + " bytes)";
        } catch (IOException e) {
            return "failure, delivery " + sent.state + " (" + e + ")";
        }
    }

    private static Request request(String url) {
        return new Request.Builder().url(url).header("Accept", "application/json")
                .post(RequestBody.create(BODY, MediaType.get("application/json"))).build();
    }
}
