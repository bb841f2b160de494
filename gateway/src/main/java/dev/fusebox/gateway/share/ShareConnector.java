package dev.fusebox.gateway.share;

import dev.fusebox.client.Promise;
import dev.fusebox.client.framing.LineSplitter;
import dev.fusebox.client.framing.OversizedMessage;
import dev.fusebox.gateway.session.ClientMessageLimit;
import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.JsonRpcFrames;
import dev.fusebox.protocol.MessagePreview;
import dev.fusebox.protocol.RequestId;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The connection of one client on standard input and output to the shared gateway of its configuration file. It
/// has no servers, and hands messages on as they are. If the gateway ends, it answers the requests in flight,
/// finds or starts the next gateway, and repeats the session to it.
///
/// Thread-safe; [#run] blocks until the client or the gateway leaves. Its threads: the caller's reads from the
/// client; each link has a reader, which writes to the client. What a client sends while there is no gateway stays
/// in its pipe.
public final class ShareConnector {
    private static final int BUFFER_BYTES = 1 << 16;

    /// How long the client waits for a gateway after the last one has ended.
    private static final Duration RECONNECT_LIMIT = Duration.ofSeconds(30);

    /// How long a gateway may take to end the connection of a client that has left, and with calls in flight.
    private static final Duration END_LIMIT = Duration.ofSeconds(3);

    private static final Duration DRAIN_LIMIT = Duration.ofSeconds(30);

    private static final String LOST =
            "the gateway ended while the call was in flight; the call may have been executed";

    private final Platform platform;
    private final Streams streams;
    private final GatewayFinder finder;
    private final SessionMemory memory = new SessionMemory();
    private final LinkWatch watch;
    private final NextGateway nextGateway;
    private final Map<RequestId, OpenRequest> open = new ConcurrentHashMap<>();

    /// Questions of gateways to the client, which the client answers to the one that has asked.
    private final Map<RequestId, GatewayLink> questions = new ConcurrentHashMap<>();

    private final CountDownLatch ended = new CountDownLatch(1);

    /// The gateway that takes the next messages; not completed while there is none.
    private final AtomicReference<Promise<GatewayLink>> current = new AtomicReference<>(new Promise<>());

    private volatile boolean clientLeft;
    private volatile boolean hasFailed;

    /// The client's streams.
    ///
    /// @param notes receives lines for the user
    public record Streams(InputStream in, OutputStream out, Consumer<String> notes) {}

    /// @param finder finds the gateway
    public ShareConnector(Platform platform, Streams streams, GatewayFinder finder) {
        this.platform = platform;
        this.streams = streams;
        this.finder = finder;
        this.watch = new LinkWatch(platform, link -> isAwaited(open, link), streams.notes());
        this.nextGateway = new NextGateway(platform, finder, memory, watch);
    }

    /// Connects to a gateway. To be called once, before [#run].
    public void connect() throws IOException, GatewayFinder.Unserved, InterruptedException {
        GatewayLink link = finder.find(null);
        watch.add(link);
        begin(link, false);
    }

    /// Serves the client until it leaves; false if there is no gateway any more.
    public boolean run() throws InterruptedException {
        Thread.ofPlatform().daemon().name("fusebox-connector-check").start(() -> watch.run(this::hasEnded));
        Thread.ofPlatform().daemon().name("fusebox-connector-client").start(this::readClient);
        ended.await();
        return !hasFailed;
    }

    /// Lets the answers in flight arrive, and ends; does not block.
    public void end() {
        clientLeft = true;
        platform.timers().schedule(open.isEmpty() ? END_LIMIT : DRAIN_LIMIT, ended::countDown);
        GatewayLink link = current.get().now();
        if (link != null) {
            link.endOutput();
        }
    }

    // ---- From the client

    private void readClient() {
        LineSplitter lines = new LineSplitter(ClientMessageLimit.BYTES, new FromClient());
        byte[] buffer = new byte[BUFFER_BYTES];
        try {
            for (int count = streams.in().read(buffer);
                    count >= 0;
                    count = streams.in().read(buffer)) {
                lines.accept(buffer, count);
            }
        } catch (IOException closed) {
            // Equivalent to the end of input.
        }
        end();
    }

    private final class FromClient implements LineSplitter.Sink {
        @Override
        public void line(byte[] buffer, int from, int to) {
            MessagePreview seen = MessagePreview.of(buffer, from, to);
            RequestId id = seen.id();
            String method = seen.method();
            if (method == null) {
                handOn(id, LineMark.line(LineMark.MESSAGE, buffer, from, to));
                return;
            }
            byte[] frame = Arrays.copyOfRange(buffer, from, to);
            memory.note(method, frame);
            if (id == null) {
                sendNotification(method, frame);
                return;
            }
            OpenRequest request = new OpenRequest(id, method, frame);
            if (open.putIfAbsent(id, request) == null) {
                send(request);
            } else {
                // The gateway says what is wrong with it.
                send(LineMark.line(LineMark.MESSAGE, frame));
            }
        }

        @Override
        public void tooLong(OversizedMessage line) {
            toClient(ClientMessageLimit.error(line));
        }
    }

    /// A cancelled request gets no answer. Its cancellation is for the gateway that has it.
    private void sendNotification(String method, byte[] frame) {
        RequestId cancelled = method.equals(OpenRequest.CANCELLED) ? OpenRequest.cancelled(frame) : null;
        OpenRequest request = cancelled == null ? null : open.remove(cancelled);
        GatewayLink link = request == null ? null : request.link();
        byte[] line = LineMark.line(LineMark.MESSAGE, frame);
        if (link == null) {
            send(line);
            return;
        }
        writeTo(link, line);
        if (link.isMoved()) {
            endIfAnswered(link);
        }
    }

    /// An answer goes to the gateway that has asked, and nowhere else.
    private void handOn(@Nullable RequestId id, byte[] line) {
        if (id == null) {
            // Neither a request nor an answer: the gateway says what is wrong with it.
            send(line);
            return;
        }
        GatewayLink asker = questions.remove(id);
        if (asker != null) {
            writeTo(asker, line);
        }
    }

    private void send(byte[] line) {
        GatewayLink link = await();
        if (link != null) {
            writeTo(link, line);
        }
    }

    /// A request that could not be written completely was not executed, and is sent to the next gateway.
    private void send(OpenRequest request) {
        byte[] line = LineMark.line(LineMark.MESSAGE, request.frame());
        GatewayLink link = await();
        while (link != null && !writeTo(link, line)) {
            leave(link);
            link = await();
        }
        if (link == null) {
            fail(request, "there is no gateway; the call was not sent");
            return;
        }
        OpenRequest sent = request.over(link);
        // The loss of a link is marked first, and its requests are settled then: one of the two sees the other.
        if (open.replace(request.id(), request, sent) && link.isLost()) {
            settle(sent);
        }
    }

    /// False if the gateway is gone. The reader of the link deals with what was sent before.
    private static boolean writeTo(GatewayLink link, byte[] line) {
        try {
            link.write(line);
            return true;
        } catch (IOException gone) {
            link.close();
            return false;
        }
    }

    private @Nullable GatewayLink await() {
        try {
            return current.get().await(platform, RECONNECT_LIMIT, this::hasEnded);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return null;
        }
    }

    /// Notes that the link takes no more messages; true for the first call.
    private boolean leave(GatewayLink link) {
        Promise<GatewayLink> known = current.get();
        boolean isFirst = link.equals(known.now()) && current.compareAndSet(known, new Promise<>());
        if (isFirst) {
            Thread.ofPlatform().daemon().name("fusebox-connector-next").start(this::next);
        }
        return isFirst;
    }

    // ---- From the gateway

    private void begin(GatewayLink link, boolean isResumed) {
        memory.noteGateway(link.process());
        current.get().complete(link);
        // The client's leaving is noted first, and the link looked for then: one of the two sees the other.
        if (clientLeft) {
            link.endOutput();
        }
        Thread.ofPlatform().daemon().name("fusebox-connector-gateway").start(() -> readGateway(link, isResumed));
    }

    private void readGateway(GatewayLink link, boolean isResumed) {
        LineSplitter lines = new LineSplitter(Integer.MAX_VALUE - 16, new FromGateway(link, isResumed));
        byte[] buffer = new byte[BUFFER_BYTES];
        try {
            for (int count = link.read(buffer); count >= 0; count = link.read(buffer)) {
                watch.heard(link);
                lines.accept(buffer, count);
            }
        } catch (IOException gone) {
            // Equivalent to its end.
        }
        link.close();
        lost(link);
    }

    private final class FromGateway implements LineSplitter.Sink {
        private final GatewayLink link;
        private final boolean isResumed;

        FromGateway(GatewayLink link, boolean isResumed) {
            this.link = link;
            this.isResumed = isResumed;
        }

        @Override
        public void line(byte[] buffer, int from, int to) {
            switch (buffer[from]) {
                case LineMark.MESSAGE -> message(buffer, from + 1, to);
                case LineMark.NOTE ->
                    streams.notes().accept(new String(LineMark.text(buffer, from, to), StandardCharsets.UTF_8));
                case LineMark.STATE ->
                    memory.noteState(new String(LineMark.text(buffer, from, to), StandardCharsets.UTF_8));
                case LineMark.MOVED -> move(link);
                default -> {
                    // A sign of life, or a line of a later version.
                }
            }
        }

        private void message(byte[] buffer, int from, int to) {
            MessagePreview seen = MessagePreview.of(buffer, from, to);
            RequestId id = seen.id();
            if (seen.answers() && id != null) {
                OpenRequest answered = open.remove(id);
                if (SessionMemory.isOurs(id)) {
                    memory.changed(id, buffer, from, to).ifPresent(ShareConnector.this::toClient);
                    return;
                }
                if (answered != null) {
                    memory.noteAnswer(answered, buffer, from, to);
                }
            } else if (seen.asks() && id != null) {
                questions.put(id, link);
            }
            String method = id == null ? seen.method() : null;
            if (isResumed && method != null && isCompared(method)) {
                return;
            }
            if (OpenRequest.CANCELLED.equals(method)) {
                forgetQuestion(Arrays.copyOfRange(buffer, from, to));
            }
            toClient(buffer, from, to);
            if (link.isMoved()) {
                endIfAnswered(link);
            }
        }

        /// The client does not answer a question that was withdrawn.
        private void forgetQuestion(byte[] cancellation) {
            RequestId question = OpenRequest.cancelled(cancellation);
            if (question != null) {
                questions.remove(question, link);
            }
        }

        /// To a gateway that has just started each list is new. The client is told if it differs from what it has
        /// seen.
        private boolean isCompared(String notification) {
            Optional<byte[]> request = memory.comparing(notification);
            request.ifPresent(frame -> writeTo(link, LineMark.line(LineMark.MESSAGE, frame)));
            return request.isPresent();
        }

        @Override
        public void tooLong(OversizedMessage line) {
            RequestId id = line.seen().id();
            OpenRequest request = id == null ? null : open.remove(id);
            if (request != null) {
                answer(request, "there was not enough memory for the answer of " + line.bytes() + " bytes");
            }
        }
    }

    private void toClient(byte[] frame) {
        toClient(frame, 0, frame.length);
    }

    private void toClient(byte[] buffer, int from, int to) {
        byte[] line = Arrays.copyOfRange(buffer, from, to + 1);
        line[to - from] = '\n';
        synchronized (streams) {
            watch.writingToClient(true);
            try {
                streams.out().write(line);
                streams.out().flush();
            } catch (IOException left) {
                ended.countDown();
            } finally {
                watch.writingToClient(false);
            }
        }
    }

    // ---- The end of a gateway

    /// The gateway ends soon, and answers what is in flight.
    private void move(GatewayLink link) {
        link.noteMove();
        if (!clientLeft && leave(link)) {
            endIfAnswered(link);
        }
    }

    private void endIfAnswered(GatewayLink link) {
        if (open.values().stream().noneMatch(each -> each.wasSentOver(link))) {
            link.endOutput();
        }
    }

    private void lost(GatewayLink link) {
        link.noteLoss();
        watch.remove(link);
        withdrawQuestions(link);
        if (clientLeft) {
            open.values().forEach(request -> fail(request, LOST));
            ended.countDown();
            return;
        }
        leave(link);
        for (OpenRequest request : List.copyOf(open.values())) {
            if (request.wasSentOver(link)) {
                settle(request);
            }
        }
    }

    /// The gateway that has asked is gone, so an answer would be ignored.
    private void withdrawQuestions(GatewayLink link) {
        for (RequestId question : List.copyOf(questions.keySet())) {
            if (questions.remove(question, link)) {
                toClient(JsonRpcFrames.notification(
                        OpenRequest.CANCELLED,
                        "{\"requestId\":" + question.json() + ",\"reason\":\"the gateway has ended\"}"));
            }
        }
    }

    /// Ends a request whose gateway is gone, or sends it again.
    private void settle(OpenRequest request) {
        if (!request.isRepeatable()) {
            fail(request, LOST);
            return;
        }
        OpenRequest unsent = request.unsent();
        if (open.replace(request.id(), request, unsent)) {
            send(unsent);
        }
    }

    /// Finds the next gateway, and makes it the current one.
    private void next() {
        try {
            GatewayLink link = nextGateway.find(open.keySet(), this::hasEnded);
            begin(link, true);
            if (link.isMoved()) {
                move(link);
            }
        } catch (IOException | GatewayFinder.Unserved failed) {
            streams.notes().accept("the gateway ended, and there is no other: " + failed.getMessage());
            open.values().forEach(request -> fail(request, "the gateway ended, and no other could be started"));
            hasFailed = true;
            ended.countDown();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private void fail(OpenRequest request, String why) {
        if (open.remove(request.id(), request)) {
            answer(request, why);
        }
    }

    private void answer(OpenRequest request, String why) {
        toClient(LostCall.answer(request, why));
    }

    private boolean hasEnded() {
        return ended.getCount() == 0;
    }

    /// Whether the client waits for a response of this gateway.
    private static boolean isAwaited(Map<RequestId, OpenRequest> open, GatewayLink link) {
        return link.isResuming()
                || open.values().stream()
                        .anyMatch(request -> request.wasSentOver(link) || (!request.wasSent() && !link.isMoved()));
    }
}
