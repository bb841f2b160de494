package dev.fusebox.http;

import java.net.InetSocketAddress;

/// Texts of valid requests.
final class Requests {
    private Requests() {}

    static String host(HttpServer server) {
        return server.address() instanceof InetSocketAddress tcp ? "localhost:" + tcp.getPort() : "localhost";
    }

    static String get(HttpServer server, String path) {
        return "GET " + path + " HTTP/1.1\r\nHost: " + host(server) + "\r\n\r\n";
    }

    static String post(HttpServer server, String path, String body) {
        return "POST " + path + " HTTP/1.1\r\nHost: " + host(server) + "\r\nContent-Length: " + body.length()
                + "\r\n\r\n" + body;
    }

    /// A request with these lines between Host and the end of the head.
    static String with(HttpServer server, String requestLine, String... lines) {
        var text = new StringBuilder(requestLine + "\r\nHost: " + host(server) + "\r\n");
        for (String line : lines) {
            text.append(line).append("\r\n");
        }
        return text.append("\r\n").toString();
    }
}
