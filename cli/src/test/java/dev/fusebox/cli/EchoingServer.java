package dev.fusebox.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;

/// An HTTP server that responds with the head of the request, plain and in base64, and records requests. The path
/// of a request names the status of the response. Thread-safe.
final class EchoingServer implements AutoCloseable {
    private final ServerSocket socket;
    private final List<String> bodies = new CopyOnWriteArrayList<>();

    private EchoingServer(ServerSocket socket) {
        this.socket = socket;
    }

    static EchoingServer open() throws IOException {
        EchoingServer server = new EchoingServer(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()));
        Thread.ofVirtual().start(server::accept);
        return server;
    }

    int port() {
        return socket.getLocalPort();
    }

    /// Of all requests so far, byte for byte.
    List<String> bodies() {
        return bodies;
    }

    private void accept() {
        try {
            while (true) {
                Socket client = socket.accept();
                Thread.ofVirtual().start(() -> answer(client));
            }
        } catch (IOException closed) {
            return;
        }
    }

    private void answer(Socket client) {
        try (client) {
            InputStream in = new BufferedInputStream(client.getInputStream());
            StringBuilder head = new StringBuilder();
            while (head.indexOf("\r\n\r\n") < 0) {
                int next = in.read();
                if (next < 0) {
                    return;
                }
                head.append((char) next);
            }
            bodies.add(new String(in.readNBytes(length(head.toString())), ISO_8859_1));
            String status = head.substring(head.indexOf("/") + 1, head.indexOf("/") + 4);
            String echo =
                    head + Base64.getEncoder().encodeToString(head.toString().getBytes(UTF_8));
            client.getOutputStream()
                    .write(("HTTP/1.1 " + status
                                    + " So\r\nContent-Type: text/plain\r\nConnection: close\r\nContent-Length: "
                                    + echo.length() + "\r\n\r\n" + echo)
                            .getBytes(ISO_8859_1));
        } catch (IOException gone) {
            return;
        }
    }

    private static int length(String head) {
        return head.lines()
                .filter(line -> line.toLowerCase(Locale.ROOT).startsWith("content-length:"))
                .mapToInt(line ->
                        Integer.parseInt(line.substring(line.indexOf(':') + 1).strip()))
                .findFirst()
                .orElse(0);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
