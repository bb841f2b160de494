package dev.fusebox.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.fusebox.protocol.JsonView;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Locale;
import javax.net.ssl.SSLContext;

/// A server over HTTPS on this machine that answers every request with one result, each on a connection of its own.
final class SecureServer implements AutoCloseable {
    private final ServerSocket listener;
    private final String result;

    SecureServer(SSLContext context, String result) throws IOException {
        this.listener = context.getServerSocketFactory().createServerSocket(0, 50, InetAddress.getLoopbackAddress());
        this.result = result;
        Thread.ofVirtual().start(this::accept);
    }

    int port() {
        return listener.getLocalPort();
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

    private void serve(Socket client) {
        try (client) {
            InputStream in = new BufferedInputStream(client.getInputStream());
            int length = 0;
            for (String line = line(in); !line.isEmpty(); line = line(in)) {
                String small = line.toLowerCase(Locale.ROOT);
                length = small.startsWith("content-length:")
                        ? Integer.parseInt(
                                small.substring(small.indexOf(':') + 1).strip())
                        : length;
            }
            JsonView request = JsonView.of(new String(in.readNBytes(length), UTF_8));
            String body = "{\"jsonrpc\":\"2.0\",\"id\":" + request.member("id") + ",\"result\":" + result + "}";
            String head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: "
                    + body.length() + "\r\n\r\n";
            client.getOutputStream().write((head + body).getBytes(ISO_8859_1));
        } catch (IOException gone) {
            // Whoever does not trust us leaves.
        }
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
