package dev.fusebox.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Locale;

/// A web server in the test's process that reads one request per connection and answers it. As thread-safe as its
/// answers.
final class PostServer implements AutoCloseable {
    /// What a TLS client begins with (RFC 8446, section 5.1: a record of type handshake).
    private static final int HELLO_OF_TLS = 22;

    private final ServerSocket listener;
    private final Answers answers;

    /// What a client asks.
    record Post(String path, String body) {}

    /// Answers on the thread of the connection.
    @FunctionalInterface
    interface Answers {
        /// All that is sent back, its head included.
        String to(Post post) throws IOException;
    }

    PostServer(Answers answers) throws IOException {
        this(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), answers);
    }

    PostServer(ServerSocket listener, Answers answers) {
        this.listener = listener;
        this.answers = answers;
        Thread.ofVirtual().name("post server").start(this::accept);
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
            String answer = isTls(in) ? "HTTP/1.1 400 Bad Request\r\n\r\n" : answers.to(read(in));
            client.getOutputStream().write(answer.getBytes(UTF_8));
        } catch (IOException gone) {
            // The client has left.
        }
    }

    /// Whoever speaks TLS where nobody else does is told so in plain words.
    private static boolean isTls(InputStream in) throws IOException {
        in.mark(1);
        int first = in.read();
        in.reset();
        return first == HELLO_OF_TLS;
    }

    private static Post read(InputStream in) throws IOException {
        String path = line(in).split(" ", 3)[1];
        int length = 0;
        for (String line = line(in); !line.isEmpty(); line = line(in)) {
            String small = line.toLowerCase(Locale.ROOT);
            length = small.startsWith("content-length:")
                    ? Integer.parseInt(small.substring(small.indexOf(':') + 1).strip())
                    : length;
        }
        return new Post(path, new String(in.readNBytes(length), UTF_8));
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
