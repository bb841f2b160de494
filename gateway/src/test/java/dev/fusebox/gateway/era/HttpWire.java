package dev.fusebox.gateway.era;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.protocol.JsonView;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A client over HTTP; of the session era after [#hello].
public final class HttpWire implements Wire {
    private final URI uri;
    private final List<String> more = new ArrayList<>();
    private @Nullable String session;
    private int status;
    private Function<JsonView, @Nullable String> answers = question -> null;

    public HttpWire(int port) {
        uri = URI.create("http://localhost:" + port + "/mcp");
    }

    /// Sends these headers, too, from now on: names and values in turns.
    HttpWire with(String... headers) {
        more.clear();
        more.addAll(List.of(headers));
        return this;
    }

    /// Of the last answer.
    int status() {
        return status;
    }

    private HttpURLConnection send(String frame) {
        try {
            HttpURLConnection post = (HttpURLConnection) uri.toURL().openConnection();
            post.setReadTimeout((int) SingleServerHarness.SOON.toMillis());
            post.setRequestMethod("POST");
            post.setDoOutput(true);
            post.setRequestProperty("Content-Type", "application/json");
            post.setRequestProperty("Accept", "application/json, text/event-stream");
            post.setRequestProperty("Connection", "close");
            describe(post, Messages.read(frame));
            try (OutputStream body = post.getOutputStream()) {
                body.write(frame.getBytes(StandardCharsets.UTF_8));
            }
            status = post.getResponseCode();
            String given = post.getHeaderField("Mcp-Session-Id");
            session = given == null ? session : given;
            return post;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Ends the session.
    public void leave() {
        try {
            HttpURLConnection delete = (HttpURLConnection) uri.toURL().openConnection();
            delete.setReadTimeout((int) SingleServerHarness.SOON.toMillis());
            delete.setRequestMethod("DELETE");
            delete.setRequestProperty("Mcp-Session-Id", Objects.requireNonNull(session, "there is no session"));
            assertThat(delete.getResponseCode()).isLessThan(300);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Says in headers what the message says.
    private void describe(HttpURLConnection post, JsonView message) {
        JsonView version = message.path("params", "_meta", "io.modelcontextprotocol/protocolVersion");
        if (version != null) {
            post.setRequestProperty("Mcp-Protocol-Version", Messages.text(version));
            post.setRequestProperty("Mcp-Method", Messages.text(message, "method"));
            JsonView name = message.path("params", "name");
            JsonView address = name == null ? message.path("params", "uri") : name;
            JsonView about = address == null ? message.path("params", "taskId") : address;
            if (about != null) {
                post.setRequestProperty("Mcp-Name", Messages.text(about));
            }
        } else if (session != null) {
            post.setRequestProperty("Mcp-Session-Id", session);
        }
        for (int i = 0; i < more.size(); i += 2) {
            post.setRequestProperty(more.get(i), more.get(i + 1));
        }
    }

    @Override
    public List<JsonView> ask(String request) {
        List<JsonView> all = new ArrayList<>();
        try (Stream stream = open(request)) {
            for (JsonView next = stream.next(); next != null; next = stream.next()) {
                all.add(next);
                if (Messages.method(next) != null && next.member("id") != null) {
                    reply(next);
                }
            }
        }
        assertThat(all).as("what came for %s", request).isNotEmpty();
        return all;
    }

    private void reply(JsonView question) {
        String result = answers.apply(question);
        if (result != null) {
            say("{\"jsonrpc\":\"2.0\",\"id\":" + Messages.at(question, "id").json() + ",\"result\":" + result + "}");
        }
    }

    @Override
    public void say(String frame) {
        HttpURLConnection post = send(frame);
        assertThat(status).isEqualTo(202);
        post.disconnect();
    }

    @Override
    public Stream open(String request) {
        return new Events(send(request));
    }

    @Override
    public Stream unrelated() {
        try {
            HttpURLConnection get = (HttpURLConnection) uri.toURL().openConnection();
            get.setReadTimeout((int) SingleServerHarness.SOON.toMillis());
            get.setRequestProperty("Accept", "text/event-stream");
            get.setRequestProperty("Mcp-Session-Id", Objects.requireNonNull(session, "there is no session"));
            assertThat(get.getResponseCode()).isEqualTo(200);
            return new Events(get);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// What comes as plain JSON, or as events.
    private static final class Events implements Stream {
        private final HttpURLConnection post;
        private final BufferedReader lines;

        Events(HttpURLConnection post) {
            this.post = post;
            try {
                InputStream errors = post.getErrorStream();
                InputStream body = errors == null ? post.getInputStream() : errors;
                this.lines = new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public @Nullable JsonView next() {
            try {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    String data = line.startsWith("{")
                            ? line
                            : line.startsWith("data:") ? line.substring(5).strip() : "";
                    if (!data.isEmpty()) {
                        return Messages.read(data);
                    }
                }
                return null;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        /// Closing the reader first would wait for the end.
        @Override
        public void close() {
            post.disconnect();
        }
    }

    @Override
    public void answering(Function<JsonView, @Nullable String> how) {
        answers = how;
    }

    @Override
    public void close() {
        // Each request has a connection of its own.
    }
}
