package dev.fusebox.client.stream;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Delivery;
import dev.fusebox.client.ErrorId;
import dev.fusebox.client.Evidence;
import dev.fusebox.client.FailureCategory;
import dev.fusebox.client.Wire;
import dev.fusebox.client.WireListener;
import dev.fusebox.client.framing.OversizedMessage;
import dev.fusebox.client.framing.OversizedMessageLimit;
import dev.fusebox.client.http.DuplexStream;
import dev.fusebox.platform.LazyLoggers;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// [Wire] over a byte stream: one virtual thread reads and reports the end, another one writes. Thread-safe; nothing
/// blocks.
final class StreamWire implements Wire {
    private static final System.Logger LOG = LazyLoggers.of(StreamWire.class);
    private static final int BUFFER_BYTES = 16 << 10;

    /// After so many bytes a reader lets other virtual threads run, since a stream that always has more would keep
    /// its carrier.
    private static final int YIELD_BYTES = 256 << 10;

    /// How long the reader may take to find out why a write failed, such as a message of the server about it.
    private static final Duration LAST_READ = Duration.ofSeconds(1);

    private final StreamServer server;
    private final DuplexStream stream;
    private final StreamFraming framing;
    private final WireListener listener;
    private final StreamWriter writer;
    private final AtomicReference<@Nullable CallFailure> cause = new AtomicReference<>();
    private final AtomicBoolean isReported = new AtomicBoolean();

    StreamWire(StreamServer server, DuplexStream stream, StreamFraming framing, WireListener listener) {
        this.server = server;
        this.stream = stream;
        this.framing = framing;
        this.listener = listener;
        this.writer = new StreamWriter(server.platform(), stream, server.limits(), new WriterEvents());
    }

    void start() {
        writer.start();
        Thread.ofVirtual().name("fusebox-stream-read").start(this::read);
    }

    // ---- To the server

    @Override
    public boolean send(byte[] frame) {
        return cause.get() == null && writer.send(framing.framed(frame));
    }

    @Override
    public void close() {
        CallFailure why = new CallFailure(
                ErrorId.CANCELLED, FailureCategory.LOCAL, Delivery.UNKNOWN, "the connection was closed", Evidence.NONE);
        if (cause.compareAndSet(null, why)) {
            writer.finish(framing.closingBytes());
            report(why);
        }
    }

    private void report(CallFailure why) {
        if (isReported.compareAndSet(false, true)) {
            listener.lost(why);
        }
    }

    /// Ends the connection at once; the reader reports it.
    private void fail(String why) {
        cause.compareAndSet(null, CallFailure.of(ErrorId.CONNECTION_LOST, why));
        writer.close();
    }

    /// Failures of the writer.
    private final class WriterEvents implements StreamWriter.Events {
        @Override
        public void stuck() {
            fail(server.name() + " has read nothing for "
                    + server.limits().stuckWrite().toMillis() + " ms and was disconnected");
        }

        /// The connection is over, and the reader may still read why. A Unix socket can be closed for writing alone.
        @Override
        public void broken() {
            server.platform().timers().schedule(LAST_READ, () -> fail(server.name() + " no longer reads"));
        }
    }

    // ---- From the server

    private void read() {
        CallFailure end = CallFailure.broken();
        byte[] closingBytes = {};
        try {
            end = readAll();
        } catch (StreamEnd ended) {
            end = ended.failure();
            closingBytes = ended.closingBytes();
        } catch (IOException broken) {
            end = CallFailure.of(ErrorId.CONNECTION_LOST, "the connection to " + server.name() + " was lost");
        } catch (RuntimeException | Error ours) {
            LOG.log(Level.ERROR, server.name() + ": connection failed with an internal error; closing it", ours);
        } finally {
            // A cause that is known already has closed the stream, which the reader only notices.
            CallFailure first = cause.compareAndSet(null, end) ? end : cause.get();
            writer.finish(closingBytes);
            report(first == null ? end : first);
        }
    }

    private CallFailure readAll() throws IOException, StreamEnd {
        StreamFraming.Decoder decoder = framing.decoder(new Input());
        StreamLimits limits = server.limits();
        OversizedMessageLimit skipLimit =
                new OversizedMessageLimit(limits.discardBytes(), limits.discardTime(), server.platform());
        byte[] buffer = new byte[BUFFER_BYTES];
        int unyielded = 0;
        for (int count = stream.read(buffer, 0, BUFFER_BYTES);
                count >= 0;
                count = stream.read(buffer, 0, BUFFER_BYTES)) {
            decoder.accept(buffer, count);
            if (skipLimit.isExceeded(decoder.skipped())) {
                throw new StreamEnd(
                        server.violation("sent an endless message (" + decoder.skipped() + " bytes so far)"),
                        framing.tooLongBytes());
            }
            unyielded += count;
            if (unyielded >= YIELD_BYTES) {
                unyielded = 0;
                letOthersRun();
            }
        }
        return CallFailure.of(ErrorId.CONNECTION_LOST, server.name() + " closed the connection");
    }

    /// Virtual threads are not preempted: a reader that always has data must yield.
    @SuppressWarnings("ThreadPriorityCheck")
    private static void letOthersRun() {
        Thread.yield();
    }

    /// What the decoder finds.
    private final class Input implements StreamFraming.Output {
        @Override
        public void message(byte[] buffer, int from, int to) {
            if (!isReported.get()) {
                listener.frame(buffer, from, to);
            }
        }

        @Override
        public void tooLong(OversizedMessage message) {
            if (!isReported.get()) {
                listener.tooLong(
                        message.seen(), message.bytes(), server.limits().frameBytes());
            }
        }

        @Override
        public void reply(byte[] bytes) {
            writer.reply(bytes);
        }
    }
}
