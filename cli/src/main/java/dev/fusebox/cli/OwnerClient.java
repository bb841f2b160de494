package dev.fusebox.cli;

import dev.fusebox.platform.Platform;
import dev.fusebox.platform.Timer;
import dev.fusebox.protocol.JsonView;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.StandardProtocolFamily;
import java.net.URLEncoder;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;

/// Asks a running gateway over its owner's socket. For one thread; every request has a connection of its own and
/// blocks for its answer, at most for [#PATIENCE].
final class OwnerClient {
    /// Longer than a server may take to start.
    private static final Duration DEADLINE = Duration.ofSeconds(90);

    /// No answer of ours is that long.
    private static final int LONGEST = 64 << 20;

    private static final String REVISION = "2026-07-28";

    private final Platform platform;
    private final Path socket;
    private final Duration deadline;

    OwnerClient(Platform platform, Path socket) {
        this(platform, socket, DEADLINE);
    }

    private OwnerClient(Platform platform, Path socket, Duration deadline) {
        this.platform = platform;
        this.socket = socket;
        this.deadline = deadline;
    }

    /// The same, waiting for each answer no longer than this.
    OwnerClient within(Duration other) {
        return new OwnerClient(platform, socket, other);
    }

    /// A name as a part of a path, or what is looked for as a part of a query. Slashes stay, since the gateway
    /// takes no hidden ones.
    static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8)
                .replace("+", "%20")
                .replace("%2F", "/");
    }

    /// What the gateway answered.
    record Answer(int status, JsonView body) {
        boolean isGood() {
            return status == 200;
        }

        /// The body, if it is what was asked for.
        ///
        /// @throws IOException with the gateway's words if it is not
        JsonView good() throws IOException {
            if (!isGood()) {
                throw new IOException(problem());
            }
            return body;
        }

        /// A list in it, if it has one.
        ///
        /// @throws IOException with the gateway's words if it has none
        JsonView list(String name) throws IOException {
            JsonView list = good().member(name);
            if (list == null) {
                throw new IOException(problem());
            }
            return list;
        }

        /// What went wrong, in the gateway's words.
        String problem() {
            JsonView message = body.path("error", "message");
            String words = message == null ? null : message.string();
            return words == null ? "the gateway answered " + status : words;
        }
    }

    Answer get(String path) throws IOException {
        return ask("GET", path, "");
    }

    /// @param json empty for no body
    Answer post(String path, String json) throws IOException {
        return ask("POST", path, json);
    }

    /// Sends a request of the stateless era, as any client does.
    ///
    /// @param name of what is called; plain ASCII, as all names are that clients see
    Answer mcp(String method, String name, String params) throws IOException {
        String meta = "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"" + REVISION
                + "\",\"io.modelcontextprotocol/clientCapabilities\":{}}";
        String json = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"" + method + "\",\"params\":{" + meta + params + "}}";
        String head = "POST /mcp HTTP/1.1\r\nMcp-Protocol-Version: " + REVISION + "\r\nMcp-Method: " + method
                + "\r\nMcp-Name: " + name + "\r\nAccept: application/json, text/event-stream\r\n";
        return send(head, json);
    }

    private Answer ask(String method, String path, String json) throws IOException {
        return send(method + " /api/v1/" + path + " HTTP/1.1\r\n", json);
    }

    /// @param begin of the head: the first line, and fields that only this request has
    private Answer send(String begin, String json) throws IOException {
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            return send(begin, json, channel);
        }
    }

    private Answer send(String begin, String json, SocketChannel channel) throws IOException {
        Timer limit = platform.timers().schedule(deadline, () -> close(channel));
        try {
            channel.connect(UnixDomainSocketAddress.of(socket));
            byte[] body = json.getBytes(StandardCharsets.UTF_8);
            String type = json.isEmpty() ? "" : "Content-Type: application/json\r\n";
            String head = begin + "Host: localhost\r\nConnection: close\r\n" + type + "Content-Length: " + body.length
                    + "\r\n\r\n" + json;
            ByteBuffer out = ByteBuffer.wrap(head.getBytes(StandardCharsets.UTF_8));
            while (out.hasRemaining()) {
                channel.write(out);
            }
            return answer(new BufferedInputStream(Channels.newInputStream(channel)));
        } catch (ClosedChannelException ended) {
            // Nobody else closes it, and by itself this says nothing.
            throw new IOException("nothing came within " + deadline.toMillis() + " ms", ended);
        } finally {
            limit.cancel();
        }
    }

    /// The timer has no thread to lose, so a failure to close is of no interest: reading ends with the channel.
    private static void close(SocketChannel channel) {
        try {
            channel.close();
        } catch (IOException closedAlready) {
            return;
        }
    }

    private static Answer answer(InputStream in) throws IOException {
        PlainHttpResponse answer = PlainHttpResponse.read(in, LONGEST);
        try {
            return new Answer(answer.status(), JsonView.of(answer.text()));
        } catch (IllegalArgumentException noJson) {
            throw new IOException("the gateway answered something that is no JSON", noJson);
        }
    }
}
