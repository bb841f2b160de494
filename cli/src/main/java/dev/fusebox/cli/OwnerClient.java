package dev.fusebox.cli;

import dev.fusebox.gateway.catalog.ServerLabel;
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

/// A client of a running gateway's admin socket. For one thread; every request opens a connection and blocks for
/// its response, at most for [#DEADLINE].
final class OwnerClient {
    /// Longer than a server may take to start.
    private static final Duration DEADLINE = Duration.ofSeconds(90);

    /// Longer than any response of the gateway.
    private static final int LONGEST = 64 << 20;

    private static final String REVISION = "2026-07-28";

    private static final String ALL = "/mcp";

    private final Platform platform;
    private final Path socket;
    private final Duration deadline;
    private final String mcpPath;

    OwnerClient(Platform platform, Path socket) {
        this(platform, socket, DEADLINE, ALL);
    }

    private OwnerClient(Platform platform, Path socket, Duration deadline, String mcpPath) {
        this.platform = platform;
        this.socket = socket;
        this.deadline = deadline;
        this.mcpPath = mcpPath;
    }

    /// A copy with this timeout for each request.
    OwnerClient within(Duration other) {
        return new OwnerClient(platform, socket, other, mcpPath);
    }

    /// A copy whose MCP requests reach one of several servers of the same name.
    OwnerClient of(ServerLabel label) {
        return new OwnerClient(platform, socket, deadline, ALL + "/p/" + encoded(label.toString()));
    }

    /// A name or query, percent-encoded for a URL. Slashes stay, because the gateway rejects encoded ones.
    static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8)
                .replace("+", "%20")
                .replace("%2F", "/");
    }

    /// A response of the gateway.
    record Answer(int status, JsonView body) {
        boolean isGood() {
            return status == 200;
        }

        /// The body of a successful response.
        ///
        /// @throws IOException with the gateway's message otherwise
        JsonView good() throws IOException {
            if (!isGood()) {
                throw new IOException(problem());
            }
            return body;
        }

        /// A list in the body of a successful response.
        ///
        /// @throws IOException with the gateway's message otherwise
        JsonView list(String name) throws IOException {
            JsonView list = good().member(name);
            if (list == null) {
                throw new IOException(problem());
            }
            return list;
        }

        /// The gateway's error message.
        String problem() {
            JsonView message = body.path("error", "message");
            String words = message == null ? null : message.string();
            return words == null ? "the gateway responded with HTTP status " + status : words;
        }
    }

    Answer get(String path) throws IOException {
        return ask("GET", path, "");
    }

    /// @param json empty for no body
    Answer post(String path, String json) throws IOException {
        return ask("POST", path, json);
    }

    /// Sends an MCP request of the stateless revision.
    ///
    /// @param name of the called tool; exposed names are ASCII
    Answer mcp(String method, String name, String params) throws IOException {
        String meta = "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"" + REVISION
                + "\",\"io.modelcontextprotocol/clientCapabilities\":{}}";
        String json = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"" + method + "\",\"params\":{" + meta + params + "}}";
        String head = "POST " + mcpPath + " HTTP/1.1\r\nMcp-Protocol-Version: " + REVISION + "\r\nMcp-Method: " + method
                + "\r\nMcp-Name: " + name + "\r\nAccept: application/json, text/event-stream\r\n";
        return send(head, json);
    }

    private Answer ask(String method, String path, String json) throws IOException {
        return send(method + " /api/v1/" + path + " HTTP/1.1\r\n", json);
    }

    /// @param begin of the request: the request line and the headers of this request alone
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
            // Only the timer closes the channel.
            throw new IOException("no response within " + deadline.toMillis() + " ms", ended);
        } finally {
            limit.cancel();
        }
    }

    /// Called by the timer; a failure to close is ignored, because reading ends with the channel.
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
            throw new IOException("the response of the gateway is not JSON", noJson);
        }
    }
}
