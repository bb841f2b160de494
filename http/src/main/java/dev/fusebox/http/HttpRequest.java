package dev.fusebox.http;

import java.net.SocketAddress;

/// One HTTP request. Immutable and thread-safe as long as its body is not written to. The server closes it when its
/// handler has returned.
public final class HttpRequest implements AutoCloseable {
    private final RequestHead head;
    private final RequestBody held;
    private final byte[] body;
    private final SocketAddress remote;

    HttpRequest(RequestHead head, RequestBody body, SocketAddress remote) {
        this.head = head;
        this.held = body;
        this.body = body.bytes();
        this.remote = remote;
    }

    public HttpMethod method() {
        return head.method();
    }

    /// The decoded path. It starts with a slash and has no empty segment (except the last), no `.` and no `..`.
    public String path() {
        return head.target().path();
    }

    /// The query as received, without its question mark; empty if there is none.
    public String query() {
        return head.target().query();
    }

    public HttpHeaders headers() {
        return head.headers();
    }

    /// Whether the memory for all request bodies was exhausted: then [#body] has two kilobytes of each end, and the
    /// request cannot be served.
    public boolean isCut() {
        return held.isCut();
    }

    /// The body itself, not a copy; empty if there is none.
    public byte[] body() {
        return body;
    }

    /// The client's address; unnamed for a client of a Unix socket.
    public SocketAddress remote() {
        return remote;
    }

    /// Releases the memory of its body.
    @Override
    public void close() {
        held.close();
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

    /// Method and path; headers and bodies may be secret.
    @Override
    public String toString() {
        return method() + " " + path();
    }
}
