package dev.fusebox.cli;

import dev.fusebox.protocol.JsonView;
import java.io.IOException;
import java.net.InetAddress;
import javax.net.ssl.SSLContext;

/// A server over HTTPS on this machine that answers every request with one result, each on a connection of its own.
final class SecureServer implements AutoCloseable {
    private final PostServer server;

    SecureServer(SSLContext context, String result) throws IOException {
        this.server = new PostServer(
                context.getServerSocketFactory().createServerSocket(0, 50, InetAddress.getLoopbackAddress()),
                post -> answer(JsonView.of(post.body()), result));
    }

    int port() {
        return server.port();
    }

    private static String answer(JsonView request, String result) {
        String body = "{\"jsonrpc\":\"2.0\",\"id\":" + request.member("id") + ",\"result\":" + result + "}";
        return "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: "
                + body.length() + "\r\n\r\n" + body;
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
