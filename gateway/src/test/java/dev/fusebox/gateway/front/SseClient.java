package dev.fusebox.gateway.front;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.protocol.JsonView;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// A client of HTTP with server-sent events: one connection for the stream, one for its messages. Blocks for at
/// most 30 s while nothing arrives. For one thread.
final class SseClient implements AutoCloseable {
    private final WebClient stream;
    private final WebClient messages;
    private final Map<String, String> headers;
    private final String endpoint;
    private final Deque<JsonView> heard = new ArrayDeque<>();

    /// One event. Comments are skipped.
    record Event(String name, String data) {}

    private SseClient(WebGateway gateway) throws IOException {
        stream = gateway.connect().at("/sse");
        WebClient.Answer head = stream.listen();
        assertThat(head.status()).isEqualTo(200);
        headers = head.headers();
        Event first = Objects.requireNonNull(event(), "a stream without an event");
        assertThat(first.name()).isEqualTo("endpoint");
        endpoint = first.data();
        messages = gateway.connect().at(endpoint);
    }

    /// Opens the stream without sending a message.
    static SseClient of(WebGateway gateway) throws IOException {
        return new SseClient(gateway);
    }

    String endpoint() {
        return endpoint;
    }

    /// Headers of the stream.
    Map<String, String> headers() {
        return headers;
    }

    /// Completes the handshake.
    SseClient hello() throws IOException {
        tell(Frame.hello("0"));
        assertThat(answer("0").member("result")).isNotNull();
        tell(Frame.INITIALIZED);
        return this;
    }

    /// Sends a message, which has to be accepted.
    void tell(String message) throws IOException {
        WebClient.Answer answer = messages.post(message.getBytes(UTF_8));
        assertThat(answer.status()).as(answer.body()).isEqualTo(202);
        assertThat(answer.body()).isEmpty();
    }

    /// The connection on which this client sends its messages.
    WebClient messages() {
        return messages;
    }

    String echo(String id, String text) throws IOException {
        tell(Frame.echo(id, text));
        return Frame.text(answer(id));
    }

    /// Waits for the response to a request; earlier messages are kept.
    JsonView answer(String id) throws IOException {
        for (JsonView next = message(); ; next = message()) {
            if (id.equals(Frame.answered(next))) {
                return next;
            }
            heard.add(next);
        }
    }

    /// Messages that were received and not waited for.
    Deque<JsonView> heard() {
        return heard;
    }

    /// The next message of any kind.
    JsonView message() throws IOException {
        Event next = Objects.requireNonNull(event(), "the stream has ended");
        assertThat(next.name()).isEqualTo("message");
        return Frame.read(next.data());
    }

    /// The next event; null at the end of the stream.
    @Nullable
    Event event() throws IOException {
        String text = stream.chunk();
        while (text.startsWith(":")) {
            text = stream.chunk();
        }
        assertThat(text).matches(it -> it.isEmpty() || it.endsWith("\n\n"), "a whole event");
        return text.isEmpty() ? null : new Event(field(text, "event: "), field(text, "data: "));
    }

    private static String field(String event, String name) {
        return event.lines()
                .filter(line -> line.startsWith(name))
                .map(line -> line.substring(name.length()))
                .collect(Collectors.joining("\n"));
    }

    /// Disconnects with a reset.
    void reset() throws IOException {
        stream.reset();
        messages.close();
    }

    /// Closes the sending side, and continues to read.
    void endSending() throws IOException {
        stream.endSending();
    }

    @Override
    public void close() throws IOException {
        stream.close();
        messages.close();
    }
}
