package dev.fusebox.gateway.front;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.protocol.JsonView;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// One connection to a gateway over HTTP, with a session if it has begun one. Blocks for at most 30 s while
/// nothing arrives. For one thread.
public final class WebClient implements AutoCloseable {
    private static final int LIMIT_MS = 30_000;

    private final int port;
    private final Socket socket;
    private final InputStream in;
    private String path = "/mcp";
    private String host;
    private String accept = "application/json, text/event-stream";
    private String session = "";
    private boolean isStateless;
    /// Headers of every request, each with its line end.
    private String own = "";

    /// One response; of an event stream only the data, one line each.
    public record Answer(int status, Map<String, String> headers, String body) {}

    public WebClient(int port) throws IOException {
        this.port = port;
        this.host = "localhost:" + port;
        this.socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(LIMIT_MS);
        this.in = new BufferedInputStream(socket.getInputStream(), 1 << 14);
    }

    /// The same connection for another path, with a query if necessary.
    WebClient at(String other) {
        path = other;
        return this;
    }

    /// The same connection with another Accept header.
    WebClient accepting(String types) {
        accept = types;
        return this;
    }

    /// The same connection in another session.
    WebClient in(String other) {
        session = other;
        own = "Mcp-Session-Id: " + other + "\r\n";
        return this;
    }

    String session() {
        return session;
    }

    /// Another connection for the same session, or in the same era.
    WebClient again() throws IOException {
        var other = new WebClient(port);
        other.session = session;
        other.own = own;
        other.isStateless = isStateless;
        return other;
    }

    /// Begins a session.
    public WebClient hello() throws IOException {
        Answer answer = post(Frame.hello("0"));
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        in(Objects.requireNonNull(answer.headers().get("mcp-session-id"), answer.body()));
        assertThat(post(Frame.INITIALIZED).status()).isEqualTo(202);
        return this;
    }

    /// Calls only this tool from now on, in the modern era.
    public WebClient stateless(String tool) {
        isStateless = true;
        own = "Mcp-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: " + tool + "\r\n";
        return this;
    }

    boolean isStateless() {
        return isStateless;
    }

    Answer post(String body) throws IOException {
        return post(body.getBytes(UTF_8));
    }

    Answer post(byte[] body) throws IOException {
        send(body);
        return answer();
    }

    /// @param more headers, each with its line end
    Answer post(byte[] body, String more) throws IOException {
        send(body, more);
        return answer();
    }

    /// Sends without waiting.
    public void send(byte[] body) throws IOException {
        send(body, "");
    }

    private void send(byte[] body, String more) throws IOException {
        String json = "Content-Type: application/json\r\nContent-Length: " + body.length + "\r\n";
        byte[] head = head("POST", json + more);
        byte[] all = new byte[head.length + body.length];
        System.arraycopy(head, 0, all, 0, head.length);
        System.arraycopy(body, 0, all, head.length, body.length);
        socket.getOutputStream().write(all);
    }

    /// Opens the stream that belongs to no request, and reads its head.
    Answer listen() throws IOException {
        socket.getOutputStream().write(head("GET", ""));
        return head();
    }

    int delete() throws IOException {
        return ask("DELETE", "").status();
    }

    /// A request without a body.
    ///
    /// @param more headers, each with its line end
    Answer ask(String method, String more) throws IOException {
        send(method, more);
        return method.equals("HEAD") ? head() : answer();
    }

    /// The same, without waiting.
    void send(String method, String more) throws IOException {
        socket.getOutputStream().write(head(method, more));
    }

    /// Sends these bytes unchanged.
    void raw(String request) throws IOException {
        socket.getOutputStream().write(request.getBytes(UTF_8));
    }

    /// A request with a foreign Host header.
    Answer foreign(String other) throws IOException {
        host = other;
        return ask("GET", "");
    }

    private byte[] head(String method, String more) {
        return (method + " " + path + " HTTP/1.1\r\nHost: " + host + "\r\nAccept: " + accept + "\r\n" + own + more
                        + "\r\n")
                .getBytes(UTF_8);
    }

    /// Calls a tool and returns the response, from the body or a stream.
    JsonView call(String id, String tool, String arguments) throws IOException {
        Answer answer = post(Frame.call(id, tool, arguments));
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        String[] frames = answer.body().split("\n", -1);
        return Frame.read(frames[frames.length - 1]);
    }

    String echo(String id, String text) throws IOException {
        return Frame.text(call(id, "echo", "{\"text\":\"" + text + "\"}"));
    }

    public Answer answer() throws IOException {
        Answer head = head();
        return new Answer(head.status(), head.headers(), rest(head));
    }

    /// The next response without its body.
    Answer head() throws IOException {
        return new Answer(status(), headers(), "");
    }

    /// The rest of a response's body.
    String rest(Answer head) throws IOException {
        return head.headers().containsKey("transfer-encoding")
                ? data(chunks())
                : new String(bytes(Integer.parseInt(head.headers().getOrDefault("content-length", "0"))), UTF_8);
    }

    private int status() throws IOException {
        return Integer.parseInt(line().split(" ", 3)[1]);
    }

    private Map<String, String> headers() throws IOException {
        var headers = new TreeMap<String, String>();
        for (String line = line(); !line.isEmpty(); line = line()) {
            int colon = line.indexOf(':');
            headers.put(
                    line.substring(0, colon).toLowerCase(Locale.ROOT),
                    line.substring(colon + 1).strip());
        }
        return headers;
    }

    private String chunks() throws IOException {
        var all = new StringBuilder();
        for (String chunk = chunk(); !chunk.isEmpty(); chunk = chunk()) {
            all.append(chunk);
        }
        return all.toString();
    }

    /// The frames of a stream up to one that contains this text; the rest stays unread.
    String until(Answer head, String text) throws IOException {
        assertThat(head.headers()).containsKey("transfer-encoding");
        var events = new StringBuilder();
        while (events.indexOf(text) < 0 || events.charAt(events.length() - 1) != '\n') {
            String chunk = chunk();
            assertThat(chunk).as("the stream ended after %s", events).isNotEmpty();
            events.append(chunk);
        }
        return data(events.toString());
    }

    /// The next chunk of a stream; empty at its end.
    String chunk() throws IOException {
        byte[] chunk = bytes(Integer.parseInt(line(), 16));
        line();
        return new String(chunk, UTF_8);
    }

    static String data(String events) {
        return events.lines()
                .filter(line -> line.startsWith("data:") && line.length() > 6)
                .map(line -> line.substring(5).strip())
                .collect(Collectors.joining("\n"));
    }

    private byte[] bytes(int length) throws IOException {
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length) {
            throw new EOFException("the gateway has ended the connection");
        }
        return bytes;
    }

    private String line() throws IOException {
        var line = new StringBuilder();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new EOFException("the gateway has ended the connection");
            }
            line.append((char) next);
        }
        return line.toString().strip();
    }

    /// Disconnects with a reset.
    void reset() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    /// Closes the sending side, and stays connected.
    void endSending() throws IOException {
        socket.shutdownOutput();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
