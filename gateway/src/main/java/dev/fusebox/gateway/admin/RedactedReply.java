package dev.fusebox.gateway.admin;

import dev.fusebox.client.redaction.Redactor;
import dev.fusebox.http.EventStream;
import dev.fusebox.http.HttpHeaders;
import dev.fusebox.http.HttpReply;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// A reply decorator that redacts secrets, because messages of servers and errors are part of the response.
/// Thread-safe; blocks as the decorated reply does.
record RedactedReply(HttpReply reply, Redactor secrets) implements HttpReply {
    @Override
    public boolean respond(int status, HttpHeaders headers, byte[] body) {
        return reply.respond(status, headers, redacted(body));
    }

    @Override
    public EventStream stream(int status, HttpHeaders headers) {
        return new RedactedStream(reply.stream(status, headers));
    }

    @Override
    public EventStream stream(int status, HttpHeaders headers, int maxWaitingBytes) {
        return new RedactedStream(reply.stream(status, headers, maxWaitingBytes));
    }

    @Override
    public void onClientGone(Runnable action) {
        reply.onClientGone(action);
    }

    @Override
    public boolean isClientGone() {
        return reply.isClientGone();
    }

    private byte[] redacted(byte[] text) {
        if (secrets.equals(Redactor.NONE)) {
            return text;
        }
        return secrets.hide(new String(text, StandardCharsets.UTF_8)).getBytes(StandardCharsets.UTF_8);
    }

    /// An event stream that redacts secrets.
    private final class RedactedStream implements EventStream {
        private final EventStream stream;

        RedactedStream(EventStream stream) {
            this.stream = stream;
        }

        @Override
        public boolean event(@Nullable String id, byte[] data) {
            return stream.event(id, redacted(data));
        }

        @Override
        public boolean named(String name, byte[] data) {
            return stream.named(name, redacted(data));
        }

        @Override
        public boolean comment() {
            return stream.comment();
        }

        @Override
        public boolean retry(long millis) {
            return stream.retry(millis);
        }

        @Override
        public void close() {
            stream.close();
        }
    }
}
