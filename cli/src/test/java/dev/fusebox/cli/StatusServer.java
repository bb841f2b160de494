package dev.fusebox.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Locale;
import java.util.Map;

/// A web server on this machine that is no MCP server: what it answers is named by the path, and always the same.
final class StatusServer implements AutoCloseable {
    private static final Map<String, String> ANSWERS = Map.of(
            "/page", "200 OK\r\nContent-Type: text/html\r\n\r\n<html><body>Welcome</body></html>",
            "/empty", "200 OK\r\nContent-Type: application/json\r\nContent-Length: 0\r\n\r\n",
            "/429", "429 Too Many Requests\r\nRetry-After: 17\r\n\r\nslow down",
            "/302", "302 Found\r\nLocation: https://elsewhere.invalid/mcp\r\n\r\n",
            "/401", "401 Unauthorized\r\nWWW-Authenticate: Bearer\r\n\r\nwho are you");

    private final ServerSocket listener;

    StatusServer() throws IOException {
        this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::accept);
    }

    String url(String path) {
        return "http://127.0.0.1:" + listener.getLocalPort() + path;
    }

    private void accept() {
        try {
            while (true) {
                Socket client = listener.accept();
                Thread.ofVirtual().start(() -> serve(client));
            }
        } catch (IOException closed) {
            // The test is over.
        }
    }

    private static void serve(Socket client) {
        try (client) {
            InputStream in = new BufferedInputStream(client.getInputStream());
            in.mark(1);
            if (in.read() != 'P') {
                // Whoever speaks TLS here is told in plain words that nobody else does.
                client.getOutputStream().write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(ISO_8859_1));
                return;
            }
            in.reset();
            String path = line(in).split(" ", 3)[1];
            int length = 0;
            for (String line = line(in); !line.isEmpty(); line = line(in)) {
                String digits =
                        line.toLowerCase(Locale.ROOT).startsWith("content-length:") ? line.replaceAll("\\D", "") : "";
                length = digits.isEmpty() ? length : Integer.parseInt(digits);
            }
            in.readNBytes(length);
            client.getOutputStream().write(answer(path).getBytes(ISO_8859_1));
        } catch (IOException gone) {
            // Nobody wants the answer any more.
        }
    }

    private static String answer(String path) {
        return switch (path) {
            case "/lost" -> "";
            case "/ssh" -> "SSH-2.0-OpenSSH_9.2\r\n";
            default ->
                "HTTP/1.1 " + ANSWERS.getOrDefault(path, path.substring(1) + " Told\r\n\r\nit is " + path.substring(1));
        };
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int b = in.read(); b != '\n'; b = in.read()) {
            if (b < 0) {
                throw new IOException("the client has left");
            }
            line.append((char) b);
        }
        return line.toString().strip();
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
