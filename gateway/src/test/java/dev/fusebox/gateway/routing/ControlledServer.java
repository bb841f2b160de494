package dev.fusebox.gateway.routing;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.fusebox.gateway.era.Messages;
import dev.fusebox.gateway.era.SingleServerHarness;
import dev.fusebox.protocol.JsonView;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A stateless server over HTTP in the process of the test, which answers calls as the test says. It has the tools
/// `work` and `think`, which say nothing of themselves, and `look`, which only reads. Thread-safe.
final class ControlledServer implements AutoCloseable {
    private static final Pattern LENGTH = Pattern.compile("(?i)content-length: *(\\d+)");
    private static final String ARGUMENTS =
            "\"inputSchema\":{\"type\":\"object\",\"properties\":{\"n\":{\"type\":" + "\"integer\"}},\"required\":[]}";
    private static final String OFFER = "{\"resultType\":\"complete\",\"supportedVersions\":[\"2026-07-28\"],"
            + "\"capabilities\":{\"tools\":{}},\"tools\":[{\"name\":\"work\"," + ARGUMENTS + "},{\"name\":\"think\","
            + ARGUMENTS
            + "},{\"name\":\"look\","
            + ARGUMENTS + ",\"annotations\":{\"readOnlyHint\":true}}],\"ttlMs\":0,\"cacheScope\":\"private\"}";

    private final ServerSocket server;
    private final Set<Socket> clients = ConcurrentHashMap.newKeySet();
    private final AtomicInteger calls = new AtomicInteger();
    private final AtomicInteger lists = new AtomicInteger();
    private volatile IntFunction<Reply> replies;
    private volatile String offer = OFFER;
    private volatile String called = "";
    private final Map<String, Reply> otherReplies = new ConcurrentHashMap<>();
    private final Map<String, String> requests = new ConcurrentHashMap<>();
    private final Map<String, Integer> counts = new ConcurrentHashMap<>();

    /// @param headers names and values in turns
    /// @param message members beside version and id; empty for a body that is none
    record Reply(int status, List<String> headers, String message) {
        static Reply of(int status) {
            return new Reply(status, List.of(), "");
        }

        static Reply text(String text, boolean isError) {
            return result("{\"resultType\":\"complete\",\"content\":[{\"type\":\"text\",\"text\":\"" + text
                    + "\"}],\"isError\":" + isError + "}");
        }

        static Reply result(String result) {
            return new Reply(200, List.of(), "\"result\":" + result);
        }

        static Reply error(int status, int code, String text) {
            return new Reply(status, List.of(), "\"error\":{\"code\":" + code + ",\"message\":\"" + text + "\"}");
        }

        Reply asking(String name, String value) {
            return new Reply(status, List.of(name, value), message);
        }
    }

    static final Reply DONE = Reply.text("done", false);

    /// @param replies to the first call, the second, and so on
    ControlledServer(IntFunction<Reply> replies) {
        this.replies = replies;
        try {
            server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.ofVirtual().name("booth").start(this::acceptAll);
    }

    /// One reply for each call, the last one for all that follow.
    static ControlledServer of(Reply... replies) {
        return new ControlledServer(nth -> replies[Math.min(nth, replies.length) - 1]);
    }

    URI uri() {
        return URI.create("http://127.0.0.1:" + server.getLocalPort() + "/mcp");
    }

    /// Has these resources and templates as well, as JSON, and answers whoever reads one with a name of its own.
    ControlledServer with(String name, String resources, String templates) {
        offer = offer.replace("\"tools\":{}", "\"tools\":{},\"resources\":{}")
                .replaceFirst(
                        "}$",
                        Matcher.quoteReplacement(",\"resources\":" + resources + ",\"resourceTemplates\":" + templates
                                + ",\"contents\":[{\"uri\":\"\",\"text\":\"" + name + "\"}]}"));
        return this;
    }

    /// Says of its lists how long they may be kept, and for whom.
    ControlledServer caching(long ttlMs, String scope) {
        offer = offer.replaceFirst(
                "\"ttlMs\":\\d+,\"cacheScope\":\"\\w+\"", "\"ttlMs\":" + ttlMs + ",\"cacheScope\":\"" + scope + "\"");
        return this;
    }

    /// Has these capabilities from now on, and answers all requests except calls with these members.
    ///
    /// @param members the lists and other results, each with a comma in front
    ControlledServer offering(String capabilities, String members) {
        offer = "{\"resultType\":\"complete\",\"supportedVersions\":[\"2026-07-28\"],\"capabilities\":" + capabilities
                + members + ",\"ttlMs\":0,\"cacheScope\":\"private\"}";
        return this;
    }

    /// Answers requests with this method like that from now on.
    void answer(String method, Reply reply) {
        otherReplies.put(method, reply);
    }

    /// The last request with this method, as it came; empty if none has.
    String request(String method) {
        return requests.getOrDefault(method, "");
    }

    /// Calls a tool otherwise from now on.
    void rename(String tool, String other) {
        offer = offer.replace("\"name\":\"" + tool + "\"", "\"name\":\"" + other + "\"");
    }

    /// From now on its tools take an argument of this type in the place of the other.
    void retype(String type, String other) {
        offer = offer.replace("\"type\":\"" + type + "\"", "\"type\":\"" + other + "\"");
    }

    /// How often it was asked for its tools.
    int lists() {
        return lists.get();
    }

    /// How many requests with this method have come.
    int count(String method) {
        return counts.getOrDefault(method, 0);
    }

    /// How many calls have come.
    int calls() {
        return calls.get();
    }

    /// The last call that has come, as it came; empty if none has.
    String called() {
        return called;
    }

    /// Answers like that from now on.
    void answer(Reply reply) {
        replies = nth -> reply;
    }

    /// Keeps all calls from now on waiting, and then answers them like that.
    Held hold(Reply reply) {
        Held held = new Held();
        replies = nth -> {
            held.await();
            return reply;
        };
        return held;
    }

    /// Calls that wait for their answer. Thread-safe.
    static final class Held implements AutoCloseable {
        private final AtomicInteger waiting = new AtomicInteger();
        private final CountDownLatch go = new CountDownLatch(1);

        int waiting() {
            return waiting.get();
        }

        void let() {
            go.countDown();
        }

        private void await() {
            waiting.incrementAndGet();
            try {
                if (!go.await(SingleServerHarness.SOON.toMillis(), TimeUnit.MILLISECONDS)) {
                    throw new IllegalStateException("nobody lets the call go on");
                }
            } catch (InterruptedException ended) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public void close() {
            let();
        }
    }

    private void acceptAll() {
        try {
            while (true) {
                Socket client = server.accept();
                clients.add(client);
                Thread.ofVirtual().name("booth serves").start(() -> serve(client));
            }
        } catch (IOException closed) {
            // The test is over.
        }
    }

    /// One request a connection.
    private void serve(Socket client) {
        try (client) {
            byte[] answer = answered(body(client.getInputStream()));
            if (!server.isClosed()) {
                client.getOutputStream().write(answer);
            }
        } catch (IOException gone) {
            // The client has left.
        } finally {
            clients.remove(client);
        }
    }

    private static String body(InputStream in) throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        while (!head.toString(UTF_8).endsWith("\r\n\r\n")) {
            int next = in.read();
            if (next < 0) {
                throw new EOFException();
            }
            head.write(next);
        }
        Matcher length = LENGTH.matcher(head.toString(UTF_8));
        return length.find() ? new String(in.readNBytes(Integer.parseInt(length.group(1))), UTF_8) : "";
    }

    private byte[] answered(String body) {
        JsonView request = body.isEmpty() ? null : Messages.read(body);
        JsonView id = request == null ? null : request.member("id");
        if (request == null || id == null) {
            return response(Reply.of(request == null ? 405 : 202), "");
        }
        if ("tools/list".equals(Messages.method(request))) {
            lists.incrementAndGet();
        }
        if ("tools/call".equals(Messages.method(request))) {
            called = body;
        }
        String method = String.valueOf(Messages.method(request));
        requests.put(method, body);
        counts.merge(method, 1, Integer::sum);
        Reply reply = switch (method) {
            case "tools/call" -> replies.apply(calls.incrementAndGet());
            // It knows the stateless era only.
            case "initialize" -> Reply.error(404, -32601, "Method not found");
            default -> otherReplies.getOrDefault(method, Reply.result(offer));
        };
        return response(
                reply,
                reply.message().isEmpty()
                        ? ""
                        : "{\"jsonrpc\":\"2.0\",\"id\":" + id.json() + "," + reply.message() + "}");
    }

    private static byte[] response(Reply reply, String json) {
        StringBuilder head = new StringBuilder("HTTP/1.1 " + reply.status() + " -\r\nConnection: close\r\n");
        for (int i = 0; i < reply.headers().size(); i += 2) {
            head.append(reply.headers().get(i) + ": " + reply.headers().get(i + 1) + "\r\n");
        }
        head.append(json.isEmpty() ? "" : "Content-Type: application/json\r\n");
        head.append("Content-Length: " + json.getBytes(UTF_8).length + "\r\n\r\n" + json);
        return head.toString().getBytes(UTF_8);
    }

    /// Nobody is answered any more, whoever has asked.
    @Override
    public void close() {
        try {
            server.close();
            for (Socket client : clients) {
                client.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
