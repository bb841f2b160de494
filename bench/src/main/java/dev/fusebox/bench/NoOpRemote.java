package dev.fusebox.bench;

import dev.fusebox.http.HttpHeaders;
import dev.fusebox.http.HttpReply;
import dev.fusebox.http.HttpRequest;
import dev.fusebox.http.HttpServer;
import dev.fusebox.http.HttpSettings;
import dev.fusebox.platform.Platform;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;

/// An HTTP server and connections to a remote HTTP server: the lower bound for anything between the two. Started
/// by `bench/gateway` as a separate process; runs until it is killed.
///
/// A request uses an idle connection, or opens one, forwards its body unchanged with the headers of the protocol,
/// and returns the answer when it is complete. It parses no message and keeps no session. No limits, no timeouts,
/// no streams; a connection that the server closes is an error.
final class NoOpRemote {
    private static final String TYPE = "Content-Type";
    private static final String SESSION = "Mcp-Session-Id";
    private static final String[] PASSED = {TYPE, "Accept", SESSION, "Mcp-Protocol-Version", "Mcp-Method", "Mcp-Name"};

    private final Deque<HttpPipe> free = new ConcurrentLinkedDeque<>();
    private final URI server;

    private NoOpRemote(URI server) {
        this.server = server;
    }

    /// Takes the address of the server. Prints the port and waits.
    public static void main(String[] address) throws IOException, InterruptedException {
        NoOpRemote noOp = new NoOpRemote(URI.create(address[0]));
        try (HttpServer front = HttpServer.open(HttpSettings.loopback(0), noOp::handle, Platform.system())) {
            System.err.println("serving on http://127.0.0.1:" + front.port() + "/mcp");
            Thread.currentThread().join();
        }
    }

    private void handle(HttpRequest request, HttpReply reply) {
        try {
            HttpPipe known = free.pollFirst();
            HttpPipe httpPipe = known == null ? HttpPipe.to(server) : known;
            HttpPipe.Answer answer = httpPipe.exchange(head(request), request.body());
            free.addFirst(httpPipe);
            reply.respond(answer.status(), headers(answer), answer.body());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String head(HttpRequest request) {
        StringBuilder head = new StringBuilder(256);
        head.append(request.method()).append(' ').append(server.getPath()).append(" HTTP/1.1\r\nHost: ");
        head.append(server.getAuthority()).append("\r\n");
        for (String name : PASSED) {
            String value = request.headers().value(name);
            if (value != null) {
                head.append(name).append(": ").append(value).append("\r\n");
            }
        }
        head.append("Content-Length: ").append(request.body().length).append("\r\n\r\n");
        return head.toString();
    }

    private static HttpHeaders headers(HttpPipe.Answer answer) {
        HttpHeaders headers = HttpHeaders.none();
        for (String name : new String[] {TYPE, SESSION}) {
            String value = answer.header(name);
            headers = value == null ? headers : headers.with(name, value);
        }
        return headers;
    }
}
