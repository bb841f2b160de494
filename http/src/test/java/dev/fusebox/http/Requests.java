package dev.fusebox.http;

import java.net.InetSocketAddress;

/// Texts of good requests.
final class Requests {
    private Requests() {}

    static String host(HttpServer front) {
        return front.address() instanceof InetSocketAddress tcp ? "localhost:" + tcp.getPort() : "localhost";
    }

    static String get(HttpServer front, String path) {
        return "GET " + path + " HTTP/1.1\r\nHost: " + host(front) + "\r\n\r\n";
    }

    static String post(HttpServer front, String path, String body) {
        return "POST " + path + " HTTP/1.1\r\nHost: " + host(front) + "\r\nContent-Length: " + body.length()
                + "\r\n\r\n" + body;
    }

    /// A request with these lines between Host and the end of the head.
    static String with(HttpServer front, String requestLine, String... lines) {
        var text = new StringBuilder(requestLine + "\r\nHost: " + host(front) + "\r\n");
        for (String line : lines) {
            text.append(line).append("\r\n");
        }
        return text.append("\r\n").toString();
    }
}
