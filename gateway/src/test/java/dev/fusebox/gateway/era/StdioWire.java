package dev.fusebox.gateway.era;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.fusebox.protocol.JsonView;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.Pipe;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A client on two pipes.
public final class StdioWire implements Wire {
    private final Pipe.SinkChannel out;
    private final BlockingQueue<JsonView> rest = new LinkedBlockingQueue<>();
    private final Map<String, BlockingQueue<JsonView>> streams = new ConcurrentHashMap<>();
    private Function<JsonView, @Nullable String> answers = question -> null;

    public StdioWire(Pipe.SinkChannel out, Pipe.SourceChannel in) {
        this.out = out;
        Thread.ofPlatform().daemon().name("test-client").start(() -> read(in));
    }

    private void read(Pipe.SourceChannel in) {
        try (var lines = new BufferedReader(new InputStreamReader(Channels.newInputStream(in), UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                JsonView message = Messages.read(line);
                streams.getOrDefault(idOf(message), rest).add(message);
            }
        } catch (IOException closed) {
            rest.clear();
        }
    }

    /// Of the request that a message belongs to; empty if it belongs to none.
    private static String idOf(JsonView message) {
        JsonView token = message.path("params", "progressToken");
        JsonView id =
                Messages.method(message) == null ? message.member("id") : message.path("params", "_meta", Messages.TAG);
        return token != null ? token.json() : id == null ? "" : id.json();
    }

    @Override
    public List<JsonView> ask(String request) {
        String id = Messages.at(Messages.read(request), "id").json();
        say(request);
        List<JsonView> all = new ArrayList<>();
        while (true) {
            JsonView message = take(rest);
            all.add(message);
            if (Messages.method(message) != null && message.member("id") != null) {
                reply(message);
            } else if (idOf(message).equals(id) && Messages.method(message) == null) {
                return all;
            }
        }
    }

    private void reply(JsonView question) {
        String result = answers.apply(question);
        if (result != null) {
            say("{\"jsonrpc\":\"2.0\",\"id\":" + Messages.at(question, "id").json() + ",\"result\":" + result + "}");
        }
    }

    private static JsonView take(BlockingQueue<JsonView> queue) {
        try {
            JsonView message = queue.poll(SingleServerHarness.SOON.toSeconds(), TimeUnit.SECONDS);
            if (message == null) {
                throw new AssertionError("nothing comes");
            }
            return message;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void say(String frame) {
        ByteBuffer buffer = ByteBuffer.wrap((frame + "\n").getBytes(UTF_8));
        try {
            while (buffer.hasRemaining()) {
                out.write(buffer);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public Stream open(String request) {
        JsonView id = Messages.at(Messages.read(request), "id");
        BlockingQueue<JsonView> messages = new LinkedBlockingQueue<>();
        streams.put(id.json(), messages);
        JsonView token = Messages.read(request).path("params", "_meta", "progressToken");
        streams.put(token == null ? id.json() : token.json(), messages);
        say(request);
        return new Stream() {
            @Override
            public JsonView next() {
                return take(messages);
            }

            @Override
            public void close() {
                say(Messages.notification("notifications/cancelled", "{\"requestId\":" + id.json() + "}"));
            }
        };
    }

    @Override
    public Stream unrelated() {
        return new Stream() {
            @Override
            public JsonView next() {
                return take(rest);
            }

            @Override
            public void close() {
                // It is the line itself.
            }
        };
    }

    @Override
    public void answering(Function<JsonView, @Nullable String> how) {
        answers = how;
    }

    @Override
    public void close() {
        try {
            out.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
