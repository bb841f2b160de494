package dev.fusebox.client.websocket;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.fusebox.client.Call;
import dev.fusebox.client.Caller;
import dev.fusebox.client.Connection;
import dev.fusebox.client.Connector;
import dev.fusebox.client.Deadline;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.ServerMessageHandler;
import dev.fusebox.client.http.HttpTarget;
import dev.fusebox.client.http.OutboundHttpClient;
import dev.fusebox.client.http.OutboundSettings;
import dev.fusebox.client.http.RequestAuthorizer;
import dev.fusebox.client.http.StreamOpener;
import dev.fusebox.client.redaction.Redactor;
import dev.fusebox.client.stream.StreamLimits;
import dev.fusebox.client.stream.StreamServer;
import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.Message;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import org.java_websocket.client.WebSocketClient;
import org.java_websocket.drafts.Draft_6455;
import org.java_websocket.handshake.ServerHandshake;

/// The own WebSocket client, that of the JDK and Java-WebSocket against the same raw server (docs/adr/0079):
/// `WebSocketSpike CLIENT speed|first|answer PORT`.
public final class WebSocketSpike {
    private static final String ECHO = "{\"name\":\"echo\",\"arguments\":{\"text\":\"" + "x".repeat(150) + "\"}}";

    private WebSocketSpike() {}

    /// One request, and the text of its response.
    private interface Client {
        String call(long id) throws Exception;
    }

    public static void main(String[] args) throws Exception {
        // As the callers of the gateway are.
        CompletableFuture<Void> done = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            try {
                run(args);
                done.complete(null);
            } catch (Exception failed) {
                done.completeExceptionally(failed);
            }
        });
        done.get();
        System.exit(0);
    }

    private static void run(String[] args) throws Exception {
        long begun = System.nanoTime();
        URI uri = URI.create("ws://127.0.0.1:" + args[2] + "/");
        Client client = switch (args[0]) {
            case "own" -> own(uri);
            case "jdk" -> jdk(uri);
            default -> library(uri);
        };
        switch (args[1]) {
            case "speed" -> speed(client);
            case "first" -> {
                client.call(1);
                System.out.printf("%d ms to the first response%n", (System.nanoTime() - begun) / 1_000_000);
            }
            default -> answer(client);
        }
        System.out.printf("peak %s%n", peak());
    }

    private static String peak() throws Exception {
        return java.nio.file.Files.readAllLines(java.nio.file.Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("VmHWM"))
                .findFirst()
                .orElse("");
    }

    private static void speed(Client client) throws Exception {
        for (int i = 0; i < 20_000; i++) {
            client.call(i);
        }
        long[] nanos = new long[20_000];
        for (int i = 0; i < nanos.length; i++) {
            long start = System.nanoTime();
            client.call(i);
            nanos[i] = System.nanoTime() - start;
        }
        Arrays.sort(nanos);
        System.out.printf("p50 %.1f us, p99 %.1f us%n", nanos[10_000] / 1e3, nanos[19_800] / 1e3);
    }

    private static void answer(Client client) {
        try {
            String text = client.call(1);
            String begin = text.substring(0, Math.min(text.length(), 120));
            System.out.println("answered: " + begin + " (" + text.length() + ")");
        } catch (Exception failed) {
            System.out.println("failed: " + failed.getMessage());
        }
    }

    private static Client own(URI uri) {
        Platform platform = Platform.system();
        OutboundHttpClient http = OutboundHttpClient.open(platform, OutboundSettings.defaults());
        StreamServer server = new StreamServer(platform, "spike", () -> Redactor.NONE, StreamLimits.defaults());
        StreamOpener opener = new StreamOpener(platform, http, HttpTarget.of(uri), RequestAuthorizer.NONE);
        Connector.Opened opened = new WebSocketConnector(server, opener).open(ServerMessageHandler.NONE);
        Connection connection = ((Connector.Opened.Connected) opened).connection();
        Duration limit = Duration.ofSeconds(20);
        return id -> {
            Message.Request request = Message.Request.of(request(1).getBytes(UTF_8));
            Call call = new Call(request, new Deadline(limit, limit, platform.ticker()), Caller.SILENT);
            return switch (connection.call(call)) {
                case Outcome.Answered answered -> answered.answer().frame().json();
                case Outcome.Failed failed -> throw new Exception(failed.failure().message());
            };
        };
    }

    private static Client jdk(URI uri) throws Exception {
        SynchronousQueue<String> answers = new SynchronousQueue<>();
        WebSocket.Listener listener = new WebSocket.Listener() {
            private final StringBuilder text = new StringBuilder();

            @Override
            public CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
                text.append(data);
                if (last) {
                    offer(answers, text.toString());
                    text.setLength(0);
                }
                socket.request(1);
                return null;
            }

            @Override
            public void onError(WebSocket socket, Throwable error) {
                offer(answers, "!" + error);
            }

            @Override
            public CompletionStage<?> onClose(WebSocket socket, int code, String reason) {
                offer(answers, "!closed " + code);
                return null;
            }
        };
        WebSocket socket = HttpClient.newBuilder()
                .executor(Executors.newVirtualThreadPerTaskExecutor())
                .build()
                .newWebSocketBuilder()
                .subprotocols("mcp")
                .buildAsync(uri, listener)
                .get();
        return id -> {
            CompletableFuture<WebSocket> sent = socket.sendText(request(id), true);
            String text = answers.poll(20, TimeUnit.SECONDS);
            sent.get();
            return checked(text);
        };
    }

    private static Client library(URI uri) throws Exception {
        SynchronousQueue<String> answers = new SynchronousQueue<>();
        WebSocketClient client = new WebSocketClient(
                uri,
                new Draft_6455(
                        java.util.List.of(),
                        java.util.List.of(new org.java_websocket.protocols.Protocol("mcp")),
                        16 << 20)) {
            @Override
            public void onOpen(ServerHandshake handshake) {}

            @Override
            public void onMessage(String message) {
                offer(answers, message);
            }

            @Override
            public void onClose(int code, String reason, boolean remote) {
                offer(answers, "!closed " + code + " " + reason);
            }

            @Override
            public void onError(Exception error) {
                offer(answers, "!" + error);
            }
        };
        client.setTcpNoDelay(true);
        client.connectBlocking();
        return id -> {
            client.send(request(id));
            return checked(answers.poll(20, TimeUnit.SECONDS));
        };
    }

    private static String request(long id) {
        return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"tools/call\",\"params\":" + ECHO + "}";
    }

    private static void offer(SynchronousQueue<String> answers, String text) {
        try {
            answers.offer(text, 1, TimeUnit.SECONDS);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private static String checked(String text) throws Exception {
        if (text == null || text.startsWith("!")) {
            throw new Exception(String.valueOf(text));
        }
        return text;
    }
}
