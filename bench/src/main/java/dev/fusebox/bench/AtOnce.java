package dev.fusebox.bench;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.fusebox.http.HttpHeaders;
import dev.fusebox.http.HttpReply;
import dev.fusebox.http.HttpRequest;
import dev.fusebox.http.HttpServer;
import dev.fusebox.http.HttpSettings;
import dev.fusebox.platform.Platform;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// An HTTP server that answers every request at once with the same result: the lower bound for a rejection over
/// HTTP. Started by `bench/promises` as a separate process; runs until it is killed.
///
/// It parses only the id of a request, a number, which the response must repeat.
final class AtOnce {
    private static final String ID = "\"id\":";

    private final String result;

    private AtOnce(String result) {
        this.result = result;
    }

    /// Takes a file with the result. Prints the port and waits.
    public static void main(String[] words) throws IOException, InterruptedException {
        AtOnce atOnce = new AtOnce(Files.readString(Path.of(words[0])));
        try (HttpServer front = HttpServer.open(HttpSettings.loopback(0), atOnce::handle, Platform.system())) {
            System.err.println("serving on http://127.0.0.1:" + front.port() + "/mcp");
            Thread.currentThread().join();
        }
    }

    private void handle(HttpRequest request, HttpReply reply) {
        String answer = "{\"jsonrpc\":\"2.0\",\"id\":" + id(request.body()) + ",\"result\":" + result + "}";
        reply.respond(200, HttpHeaders.of("Content-Type", "application/json"), answer.getBytes(UTF_8));
    }

    private static String id(byte[] body) {
        String text = new String(body, ISO_8859_1);
        int from = text.indexOf(ID) + ID.length();
        return text.substring(from, text.indexOf(',', from));
    }
}
