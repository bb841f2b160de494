package dev.fusebox.gateway.front;

import static dev.fusebox.gateway.front.Machine.PLATFORM;
import static dev.fusebox.gateway.front.Machine.SOON;
import static dev.fusebox.testkit.Eventually.eventually;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.Connector;
import dev.fusebox.client.StdioConnector;
import dev.fusebox.client.process.ChildProcesses;
import dev.fusebox.client.process.ChildSpec;
import dev.fusebox.gateway.era.SingleServer;
import dev.fusebox.gateway.session.FrontTarget;
import dev.fusebox.gateway.session.SessionSettings;
import dev.fusebox.platform.SecretIds;
import dev.fusebox.protocol.JsonView;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.Pipe;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;

/// A client on real pipes, a stdio front end in this process, and a real server process behind it. For one test;
/// [#close] checks that nothing of the server is left.
final class StdioClient implements AutoCloseable {
    private final ChildProcesses children = ChildProcesses.open(PLATFORM);
    private final Pipe toFront;
    private final Pipe fromFront;
    private final CountDownLatch left = new CountDownLatch(1);
    private final Map<String, CompletableFuture<JsonView>> answers = new ConcurrentHashMap<>();
    private final List<String> others = new CopyOnWriteArrayList<>();
    private final Thread reader;
    private final StdioFrontEnd front;
    private volatile Consumer<String> onLine = this::sort;
    private volatile boolean reads = true;

    private StdioClient(SessionSettings settings, Function<ChildProcesses, Connector> way) throws IOException {
        toFront = Pipe.open();
        fromFront = Pipe.open();
        var frontTarget = FrontTarget.of(settings, way.apply(children));
        var streams = new StdioFrontEnd.Streams(
                Channels.newInputStream(toFront.source()), Channels.newOutputStream(fromFront.sink()));
        front = new StdioFrontEnd(PLATFORM, new SingleServer(frontTarget), SecretIds.system(), streams);
        reader = Thread.ofPlatform().daemon().name("test-client").unstarted(this::read);
    }

    /// A client that never reads the front end's output.
    static StdioClient deaf(SessionSettings settings, ChildSpec spec) {
        return deaf(settings, children -> new StdioConnector(PLATFORM, settings.server(), children, spec));
    }

    private static StdioClient deaf(SessionSettings settings, Function<ChildProcesses, Connector> way) {
        try {
            var client = new StdioClient(settings, way);
            client.front.start(client.left::countDown);
            return client;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Before the handshake.
    static StdioClient silent(SessionSettings settings, ChildSpec spec) {
        StdioClient client = deaf(settings, spec);
        client.reader.start();
        return client;
    }

    /// After the handshake.
    static StdioClient of(ChildSpec spec) {
        return of(SessionSettings.of("server"), spec);
    }

    static StdioClient of(SessionSettings settings, ChildSpec spec) {
        return greeted(silent(settings, spec));
    }

    /// After the handshake, with another connector to the server.
    static StdioClient over(Function<ChildProcesses, Connector> way) {
        StdioClient client = deaf(SessionSettings.of("server"), way);
        client.reader.start();
        return greeted(client);
    }

    private static StdioClient greeted(StdioClient client) {
        assertThat(client.ask("\"hello\"", Frame.hello("\"hello\"")).member("result"))
                .isNotNull();
        client.say(Frame.INITIALIZED);
        return client;
    }

    private void read() {
        try (var lines =
                new BufferedReader(new InputStreamReader(Channels.newInputStream(fromFront.source()), UTF_8))) {
            String line = lines.readLine();
            while (line != null && reads) {
                onLine.accept(line);
                line = lines.readLine();
            }
        } catch (IOException closed) {
            reads = false;
        }
    }

    private void sort(String line) {
        JsonView frame = Frame.read(line);
        String id = Frame.answered(frame);
        if (id == null
                || !answers.computeIfAbsent(id, it -> new CompletableFuture<>()).complete(frame)) {
            others.add(line);
        }
    }

    /// Passes every later line to this consumer, and keeps none.
    void onLine(Consumer<String> action) {
        onLine = action;
    }

    void say(String frame) {
        write((frame + "\n").getBytes(UTF_8));
    }

    /// Blocks while the front end does not read.
    void write(byte[] bytes) {
        try {
            ByteBuffer buffer = ByteBuffer.wrap(bytes);
            while (buffer.hasRemaining()) {
                toFront.sink().write(buffer);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    JsonView ask(String id, String frame) {
        say(frame);
        return answer(id);
    }

    /// Calls a tool with this id and waits for the response.
    JsonView call(String id, String tool, String arguments) {
        return ask(id, Frame.call(id, tool, arguments));
    }

    String echo(String id, String text) {
        return Frame.text(ask(id, Frame.echo(id, text)));
    }

    /// The first response with this id.
    JsonView answer(String id) {
        try {
            return answers.computeIfAbsent(id, it -> new CompletableFuture<>()).get(SOON.toSeconds(), TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            throw new AssertionError("no answer to " + id + "; came: " + others, e);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    boolean isAnswered(String id) {
        CompletableFuture<JsonView> answer = answers.get(id);
        return answer != null && answer.isDone();
    }

    int answered() {
        return (int) answers.values().stream().filter(CompletableFuture::isDone).count();
    }

    /// All messages that were not the first response to a request.
    List<String> others() {
        return others;
    }

    ChildProcesses children() {
        return children;
    }

    /// The only server process.
    long pid() {
        eventually(
                "one server process is running",
                () -> assertThat(children.live()).hasSize(1));
        return children.live().getFirst().pid();
    }

    boolean hasLeft() {
        return left.getCount() == 0;
    }

    void endInput() {
        try {
            toFront.sink().close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Shuts down like a gateway whose client has disconnected.
    void close(Duration drain) {
        endInput();
        try {
            assertThat(left.await(SOON.toSeconds(), TimeUnit.SECONDS))
                    .as("the front noticed that its client left")
                    .isTrue();
            front.close(drain);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /// Waits until all output of the front end has been read.
    void awaitEnd() {
        try {
            fromFront.sink().close();
            reader.join(SOON);
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {
        List<Long> servers = children.live().stream().map(child -> child.pid()).toList();
        close(Duration.ofMillis(1));
        awaitEnd();
        children.close();
        Machine.assertGone(servers);
        assertThat(children.live()).isEmpty();
    }
}
