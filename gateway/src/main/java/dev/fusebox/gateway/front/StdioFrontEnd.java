package dev.fusebox.gateway.front;

import dev.fusebox.client.Promise;
import dev.fusebox.client.SendOrder;
import dev.fusebox.client.framing.LineSplitter;
import dev.fusebox.client.framing.OversizedMessage;
import dev.fusebox.gateway.era.GatewayService;
import dev.fusebox.gateway.era.ModernFrontEnd;
import dev.fusebox.gateway.era.ModernLineFrontEnd;
import dev.fusebox.gateway.session.ClientChannel;
import dev.fusebox.gateway.session.ClientMessageLimit;
import dev.fusebox.gateway.session.SessionType;
import dev.fusebox.platform.LazyLoggers;
import dev.fusebox.platform.Platform;
import dev.fusebox.platform.VirtualThreadStarter;
import dev.fusebox.protocol.JsonRpcErrorCode;
import dev.fusebox.protocol.JsonRpcFrames;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.MessagePreview;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// The front end for one client on two streams, usually standard input and output, in either era. Thread-safe;
/// [#close] and [#leave] block until calls in flight have ended, within their limit, and [#run] until the client
/// leaves.
///
/// It has two platform threads, because both pipes may block: a reader, and a writer of what does not fit at
/// once. The reader cannot be stopped while the client is silent, and ends with its stream.
public final class StdioFrontEnd {
    private static final System.Logger LOG = LazyLoggers.of(StdioFrontEnd.class);

    /// The polling interval: calls of other front ends do not notify this one when they end.
    private static final Duration POLL_INTERVAL = Duration.ofMillis(20);

    private static final Duration STUCK = Duration.ofSeconds(30);

    /// A server that ignores termination is killed after 1.55 s; then its calls fail.
    private static final Duration SERVER_SHUTDOWN = Duration.ofSeconds(2);

    /// The last responses are few and need no server.
    private static final Duration FINAL_WAIT = Duration.ofSeconds(1);

    private final Platform platform;
    private final InputStream in;
    private final FrameWriter writer;
    private final LineCodec codec;
    private final GatewayService service;
    private final LegacySession session;
    private final ModernFrontEnd stateless;
    private final ModernLineFrontEnd line;
    private final ClientChannel clientChannel = new StdoutChannel();
    private final AtomicInteger working = new AtomicInteger();
    private final Promise<Boolean> quiet = new Promise<>();
    private final AtomicReference<@Nullable SessionType> type = new AtomicReference<>();
    private volatile boolean closing;

    /// @param secrets generates resume tokens, which must not be guessable
    public StdioFrontEnd(Platform platform, GatewayService service, RandomGenerator secrets, Streams streams) {
        this.platform = platform;
        this.codec = streams.codec();
        this.in = streams.in();
        this.writer = new FrameWriter(platform, streams.out(), streams.stuck());
        this.service = service;
        SendOrder order = new SendOrder();
        this.session = new LegacySession(platform, service, clientChannel, order);
        session.countRequestsFrom(codec.firstRequestId());
        session.onQuiet(this::settle);
        this.stateless = new ModernFrontEnd(platform, service.settings(), service.soleEndpoint(platform, secrets));
        this.line = new ModernLineFrontEnd(stateless, clientChannel, order);
    }

    /// The streams to a client, usually standard input and output.
    ///
    /// @param stuck the longest time for which the client may read nothing while output is queued
    /// @param codec how messages stand in the lines
    public record Streams(InputStream in, OutputStream out, Duration stuck, LineCodec codec) {
        /// Where each line is a message.
        public Streams(InputStream in, OutputStream out, Duration stuck) {
            this(in, out, stuck, LineCodec.PLAIN);
        }

        /// With the default time.
        public Streams(InputStream in, OutputStream out) {
            this(in, out, STUCK);
        }
    }

    /// Starts to serve the client.
    ///
    /// @param onLeft is called, on any thread and perhaps twice, when the client closes its side or stops reading
    public void start(Runnable onLeft) {
        writer.start(onLeft);
        Thread.ofPlatform().daemon().name("fusebox-client-reader").start(() -> {
            try {
                read();
            } finally {
                onLeft.run();
            }
        });
    }

    /// Serves the client on the calling thread, until it closes its side or [#close] is called.
    ///
    /// @param onUnread is called when the client stops reading, to end the reading here as well
    public void run(Runnable onUnread) {
        writer.start(onUnread);
        read();
    }

    /// Rejects new calls, waits for calls in flight at most for the limit, and closes.
    public void close(Duration drain) throws InterruptedException {
        close(drain, () -> 0);
    }

    /// The same, when other front ends use the same servers; their calls in flight are awaited, too.
    ///
    /// @param others the number of their calls in flight
    public void close(Duration drain, IntSupplier others) throws InterruptedException {
        closing = true;
        stateless.endSubscriptions();
        long begun = platform.ticker().nanos();
        try {
            awaitQuiet(drain);
            while (others.getAsInt() > 0 && platform.ticker().nanos() - begun < drain.toNanos()) {
                platform.await(POLL_INTERVAL, () -> others.getAsInt() == 0);
            }
            // Calls still in flight fail when the shared servers are closed.
            service.close();
            awaitQuiet(SERVER_SHUTDOWN);
        } finally {
            session.close();
            stateless.close();
            // These failures are delivered, too.
            awaitQuiet(FINAL_WAIT);
            writer.end(FINAL_WAIT);
            ended();
        }
    }

    /// The same for a client that shares the servers with others, which stay.
    public void leave(Duration drain) throws InterruptedException {
        closing = true;
        stateless.endSubscriptions();
        try {
            awaitQuiet(drain);
        } finally {
            session.close();
            stateless.close();
            awaitQuiet(FINAL_WAIT);
            writer.end(FINAL_WAIT);
            ended();
        }
    }

    /// Whether a server process holds state of this client only.
    public boolean holdsState() {
        return session.holdsState() || stateless.holdsState();
    }

    /// The number of calls in flight.
    public int inFlight() {
        return working.get() + session.inFlight();
    }

    private void ended() {
        SessionType opened = type.get();
        if (opened != null) {
            service.settings().sessions().ended(opened);
        }
    }

    private void awaitQuiet(Duration limit) throws InterruptedException {
        if (!isQuiet()) {
            quiet.await(platform, limit);
        }
    }

    private void read() {
        LineSplitter lines = new LineSplitter(ClientMessageLimit.BYTES, new Frame());
        byte[] buffer = new byte[1 << 16];
        try {
            for (int count = in.read(buffer); count >= 0 && !closing; count = in.read(buffer)) {
                lines.accept(buffer, count);
            }
        } catch (IOException closed) {
            // Equivalent to the end of input: nothing more will come.
            closing = true;
        }
    }

    /// A line of the client.
    private final class Frame implements LineSplitter.Sink {
        @Override
        public void line(byte[] buffer, int from, int to) {
            try {
                byte[] frame = codec.message(buffer, from, to);
                if (frame != null) {
                    receive(Message.read(frame, service.settings().maxDepth()).exact());
                }
            } catch (RuntimeException | Error ours) {
                // Only this message is lost; later ones are read.
                LOG.log(Level.ERROR, "failed to handle a client message (internal error)", ours);
                refuse(MessagePreview.of(buffer, from, to));
            }
        }

        private void refuse(MessagePreview seen) {
            String message = "failed to handle the message; the gateway's log has the cause";
            if (seen.asks() && seen.id() != null) {
                send(JsonRpcFrames.error(seen.id(), JsonRpcErrorCode.INTERNAL_ERROR, message, null));
            }
        }

        @Override
        public void tooLong(OversizedMessage line) {
            if (line.bytes() <= ClientMessageLimit.BYTES) {
                // There was not enough memory for it.
                refuse(line.seen());
                return;
            }
            send(ClientMessageLimit.error(line));
        }
    }

    private void receive(Message message) {
        if (message instanceof Message.Request request) {
            boolean isModern = ModernFrontEnd.isModern(request);
            opened(isModern ? SessionType.STDIO_MODERN : SessionType.STDIO_LEGACY);
            if (isModern) {
                work(line.begin(request));
            } else {
                begin(session.begin(request, clientChannel));
            }
        } else if (message instanceof Message.Notification notification) {
            take(notification);
        } else if (message instanceof Message.Answer answer) {
            session.take(answer);
        } else {
            receiveUnusual(message);
        }
    }

    /// The first request shows the client's era.
    private void opened(SessionType seen) {
        if (type.get() == null && type.compareAndSet(null, seen)) {
            service.settings().sessions().opened(seen);
        }
    }

    private void receiveUnusual(Message message) {
        if (message instanceof Message.Malformed bad) {
            send(JsonRpcFrames.error(bad.id(), bad.code(), bad.reason(), null));
        } else if (message instanceof Message.Batch batch && session.revision().hasBatches()) {
            work(new MessageBatch(session, clientChannel).begin(batch)::work);
        } else {
            send(MessageBatch.refusal());
        }
    }

    private void take(Message.Notification notification) {
        boolean isCancellation = notification.method().equals("notifications/cancelled");
        if (!isCancellation || !line.cancel(notification)) {
            session.take(notification);
        }
    }

    /// Counts calls, so that their responses are written before the end.
    private void work(Runnable task) {
        working.incrementAndGet();
        Runnable counted = () -> {
            try {
                task.run();
            } finally {
                worked();
            }
        };
        begin(counted);
    }

    /// Without a thread the reader executes the task itself.
    private static void begin(Runnable task) {
        VirtualThreadStarter.start("fusebox-stdio-call", task, task);
    }

    private void worked() {
        working.decrementAndGet();
        settle();
    }

    private boolean isQuiet() {
        return inFlight() == 0;
    }

    private void settle() {
        if (closing && isQuiet()) {
            quiet.complete(true);
        }
    }

    private void send(byte[] message) {
        byte mark = codec.mark();
        if (mark == 0) {
            writer.send(message);
        } else {
            send(mark, message);
        }
    }

    /// Sends a line that begins with this mark.
    public void send(byte mark, byte[] text) {
        byte[] line = new byte[text.length + 1];
        line[0] = mark;
        System.arraycopy(text, 0, line, 1, text.length);
        writer.send(line);
    }

    /// All messages use the one stream.
    private final class StdoutChannel implements ClientChannel {
        @Override
        public void send(byte[] frame) {
            StdioFrontEnd.this.send(JsonRpcFrames.onOneLine(frame));
        }

        @Override
        public void finish(byte[] answer) {
            StdioFrontEnd.this.send(JsonRpcFrames.onOneLine(answer));
        }

        @Override
        public void abandon() {
            // A cancelled call is not answered.
        }
    }
}
