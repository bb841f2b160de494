package dev.fusebox.http;

import dev.fusebox.platform.Platform;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/// A server program, for tests that need a process of its own: few descriptors, or all of its memory.
///
/// Prints its port and runs until its standard input ends. Every request is answered with the bytes in use on the
/// heap after a collection.
final class ServerProgram {
    private ServerProgram() {}

    @SuppressWarnings("SystemOut")
    public static void main(String[] arguments) throws IOException {
        try (HttpServer server = HttpServer.open(HttpSettings.loopback(0), ServerProgram::answer, Platform.system())) {
            System.out.println(server.port());
            while (System.in.read() >= 0) {
                System.out.flush();
            }
        }
    }

    private static void answer(HttpRequest request, HttpReply reply) {
        if (request.path().equals("/heap")) {
            System.gc();
        }
        Runtime runtime = Runtime.getRuntime();
        String used = Long.toString(runtime.totalMemory() - runtime.freeMemory());
        reply.respond(200, HttpHeaders.none(), used.getBytes(StandardCharsets.US_ASCII));
    }
}
