package dev.fusebox.gateway.http;

import java.net.SocketAddress;

/// One whole request. Immutable, as long as nobody writes to its body.
public final class HttpRequest {
    private final Head head;
    private final byte[] body;
    private final SocketAddress remote;

    HttpRequest(Head head, byte[] body, SocketAddress remote) {
        this.head = head;
        this.body = body;
        this.remote = remote;
    }

    public HttpMethod method() {
        return head.method();
    }

    /// The decoded path. It begins with a slash and has no empty segment (but for a last one), no `.` and no `..`.
    public String path() {
        return head.target().path();
    }

    /// The query as it came, without its question mark; empty if there is none.
    public String query() {
        return head.target().query();
    }

    public Headers headers() {
        return head.headers();
    }

    /// The body itself, not a copy; empty if there is none.
    public byte[] body() {
        return body;
    }

    /// Where the client is; without a name for a client of a Unix socket.
    public SocketAddress remote() {
        return remote;
    }

    boolean isHead() {
        return head.method() == HttpMethod.HEAD;
    }

    boolean isOfVersion10() {
        return head.isOfVersion10();
    }

    boolean wantsClose() {
        return head.isOfVersion10() || head.headers().lists("connection", "close");
    }

    /// Method and path; headers and bodies hold secrets.
    @Override
    public String toString() {
        return method() + " " + path();
    }
}
