package dev.fusebox.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.fusebox.protocol.JsonView;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A client of a [RunningGateway] that sends its requests over one persistent connection. It cannot read responses
/// without a length.
final class KeptLine implements AutoCloseable {
    private static final Pattern LENGTH = Pattern.compile("(?i)content-length: *([0-9]+)\r\n");

    private final Socket socket;
    private final URI uri;

    KeptLine(URI uri) throws IOException {
        this.uri = uri;
        this.socket = new Socket(uri.getHost(), uri.getPort());
        socket.setSoTimeout(60_000);
    }

    /// What a tool says, or code, category and outcome of its failure.
    String call(String server, String tool) {
        String name = server + "__" + tool;
        try {
            byte[] body = RunningGateway.body("tools/call", RunningGateway.toolCall(name, "{}"))
                    .getBytes(UTF_8);
            StringBuilder head = new StringBuilder("POST " + uri.getPath() + " HTTP/1.1\r\n");
            head.append("Host: ").append(uri.getAuthority()).append("\r\n");
            head.append("Content-Length: ").append(body.length).append("\r\n");
            List<String> headers = RunningGateway.headers("tools/call", "Mcp-Name", name);
            for (int i = 0; i < headers.size(); i += 2) {
                head.append(headers.get(i))
                        .append(": ")
                        .append(headers.get(i + 1))
                        .append("\r\n");
            }
            socket.getOutputStream().write((head + "\r\n").getBytes(UTF_8));
            socket.getOutputStream().write(body);
            JsonView answer = RunningGateway.read(answer());
            boolean isDone = answer.path("result", "_meta", "fusebox/error") == null;
            return isDone ? RunningGateway.said(answer) : RunningGateway.failure(answer);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String answer() throws IOException {
        InputStream in = socket.getInputStream();
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = in.read();
            if (next < 0) {
                throw new EOFException("the gateway closed the connection after: " + head);
            }
            head.append((char) next);
        }
        Matcher length = LENGTH.matcher(head);
        if (!length.find() || length.group(1).equals("0")) {
            throw new IOException("an answer without a body, or with one of any length: " + head);
        }
        return new String(in.readNBytes(Integer.parseInt(length.group(1))), UTF_8);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
