package dev.fusebox.bench;

import dev.fusebox.http.HttpHeaders;
import dev.fusebox.http.HttpMethod;
import dev.fusebox.http.HttpReply;
import dev.fusebox.http.HttpRequest;
import dev.fusebox.http.HttpServer;
import dev.fusebox.http.HttpSettings;
import dev.fusebox.platform.Platform;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/// An HTTP server and a pipe: the lower bound for anything between HTTP and a child process. Started by
/// `bench/gateway` as a separate process; runs until it is killed.
///
/// The body of a POST goes to the standard input of the session's child as it is, and the next line of its output
/// is the answer. It parses no message: the first one of a session begins it, the second one is the notification
/// that follows the handshake and is not answered, and no session has two requests at a time. No limits, no
/// timeouts, no errors of the child.
final class NoOp {
    private static final String SESSION = "Mcp-Session-Id";
    private static final byte[] NOTHING = {};

    private final Map<String, Pipe> pipes = new ConcurrentHashMap<>();
    private final AtomicLong lastSession = new AtomicLong();
    private final List<String> command;

    private NoOp(List<String> command) {
        this.command = command;
    }

    /// Takes the command of the child. Prints the port and waits.
    public static void main(String[] command) throws IOException, InterruptedException {
        NoOp noOp = new NoOp(List.of(command));
        try (HttpServer front = HttpServer.open(HttpSettings.loopback(0), noOp::handle, Platform.system())) {
            System.err.println("serving on http://127.0.0.1:" + front.port() + "/mcp");
            Thread.currentThread().join();
        }
    }

    private void handle(HttpRequest request, HttpReply reply) {
        String id = request.headers().value(SESSION);
        if (id == null) {
            begin(request.body(), reply);
        } else if (request.method() == HttpMethod.DELETE) {
            Objects.requireNonNull(pipes.remove(id)).close();
            reply.respond(200, HttpHeaders.none(), NOTHING);
        } else {
            pass(Objects.requireNonNull(pipes.get(id)), request.body(), reply);
        }
    }

    private void begin(byte[] body, HttpReply reply) {
        String id = "session-" + lastSession.incrementAndGet();
        Pipe pipe = Pipe.to(command);
        pipes.put(id, pipe);
        reply.respond(200, HttpHeaders.of(SESSION, id, "Content-Type", "application/json"), pipe.ask(body));
    }

    private static void pass(Pipe pipe, byte[] body, HttpReply reply) {
        if (pipe.isGreeted()) {
            reply.respond(200, HttpHeaders.of("Content-Type", "application/json"), pipe.ask(body));
        } else {
            pipe.greet(body);
            reply.respond(202, HttpHeaders.none(), NOTHING);
        }
    }
}
