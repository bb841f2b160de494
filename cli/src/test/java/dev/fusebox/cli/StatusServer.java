package dev.fusebox.cli;

import java.io.IOException;
import java.util.Map;

/// A web server on this machine that is no MCP server: what it answers is named by the path, and always the same.
final class StatusServer implements AutoCloseable {
    private static final Map<String, String> ANSWERS = Map.of(
            "/page", "200 OK\r\nContent-Type: text/html\r\n\r\n<html><body>Welcome</body></html>",
            "/empty", "200 OK\r\nContent-Type: application/json\r\nContent-Length: 0\r\n\r\n",
            "/429", "429 Too Many Requests\r\nRetry-After: 17\r\n\r\nslow down",
            "/302", "302 Found\r\nLocation: https://elsewhere.invalid/mcp\r\n\r\n",
            "/401", "401 Unauthorized\r\nWWW-Authenticate: Bearer\r\n\r\nwho are you");

    private final PostServer server = new PostServer(post -> answer(post.path()));

    StatusServer() throws IOException {
        // It answers from now on.
    }

    String url(String path) {
        return "http://127.0.0.1:" + server.port() + path;
    }

    private static String answer(String path) {
        return switch (path) {
            case "/lost" -> "";
            case "/ssh" -> "SSH-2.0-OpenSSH_9.2\r\n";
            default -> "HTTP/1.1 " + ANSWERS.getOrDefault(path, status(path));
        };
    }

    /// Paths that name no status, such as those of metadata, are not found.
    private static String status(String path) {
        String status = path.matches("/\\d{3}") ? path.substring(1) : "404";
        return status + " Told\r\n\r\nit is " + status;
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
