package dev.fusebox.cli;

import dev.fusebox.demo.DemoHost;
import dev.fusebox.platform.Platform;
import dev.fusebox.platform.Timer;
import dev.fusebox.protocol.JsonRpcFrames;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.RequestId;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// A minimal MCP client over HTTP for a gateway in this process. For one thread; every request blocks for its
/// response, at most for [#DEADLINE].
final class LocalClient implements DemoHost.Client {
    private static final Duration DEADLINE = Duration.ofSeconds(30);

    /// Longer than any response here.
    private static final int LONGEST = 64 << 20;

    private final Platform platform;
    private final int port;
    private final Socket socket;
    private final InputStream in;
    private @Nullable String session;
    private long lastId;

    LocalClient(Platform platform, int port) throws IOException {
        this.platform = platform;
        this.port = port;
        this.socket = new Socket(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), port);
        this.in = new BufferedInputStream(socket.getInputStream());
    }

    @Override
    public JsonView ask(String method, String params) throws IOException {
        return JsonView.of(post(JsonRpcFrames.request(RequestId.of(++lastId), method, params)));
    }

    @Override
    public void tell(String method) throws IOException {
        post(JsonRpcFrames.notification(method, null));
    }

    private String post(byte[] message) throws IOException {
        Timer limit = platform.timers().schedule(DEADLINE, this::close);
        try {
            // A single write: a second packet would wait for the acknowledgement of the first.
            OutputStream out = new BufferedOutputStream(socket.getOutputStream());
            out.write(head(message.length).getBytes(StandardCharsets.US_ASCII));
            out.write(message);
            out.flush();
            return answer();
        } finally {
            limit.cancel();
        }
    }

    private String head(int length) {
        return "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:" + port + "\r\nContent-Type: application/json\r\n"
                + "Accept: application/json, text/event-stream\r\nContent-Length: " + length + "\r\n"
                + (session == null ? "" : "Mcp-Session-Id: " + session + "\r\n") + "\r\n";
    }

    private String answer() throws IOException {
        PlainHttpResponse answer = PlainHttpResponse.read(in, LONGEST);
        String given = answer.fields().get("mcp-session-id");
        session = given == null ? session : given;
        return answer.text();
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException closedAlready) {
            return;
        }
    }
}
