package dev.fusebox.http;

import java.net.SocketAddress;

/// One request. Immutable, as long as nobody writes to its body; thread-safe. The front closes it when its handler
/// has returned.
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

    /// The decoded path. It begins with a slash and has no empty segment (but for a last one), no `.` and no `..`.
    public String path() {
        return head.target().path();
    }

    /// The query as it came, without its question mark; empty if there is none.
    public String query() {
        return head.target().query();
    }

    public HttpHeaders headers() {
        return head.headers();
    }

    /// Whether there was no room for the whole body among those of all requests: then [#body] has two kilobytes of
    /// each of its ends, and the request cannot be served.
    public boolean isCut() {
        return held.isCut();
    }

    /// The body itself, not a copy; empty if there is none.
    public byte[] body() {
        return body;
    }

    /// Where the client is; without a name for a client of a Unix socket.
    public SocketAddress remote() {
        return remote;
    }

    /// From now on its body counts no more.
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

    /// Method and path; headers and bodies hold secrets.
    @Override
    public String toString() {
        return method() + " " + path();
    }
}
