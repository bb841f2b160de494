package dev.fusebox.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.JsonView;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/// A flood of clients with one large call each, all at the same time: each sends its last bytes only after all
/// have sent almost everything. For one thread.
final class Flood implements AutoCloseable {
    /// What is sent last.
    private static final int HELD_BACK = 64;

    /// Of an answer; what is longer is what was asked for.
    private static final int SEEN = 1 << 20;

    private static final int STEP_MILLIS = 10;

    /// To look at all callers costs something.
    private static final int STEPS = 50;

    private static final Platform PLATFORM = Platform.system();

    private final Selector selector = Selector.open();
    private final List<Caller> callers = new ArrayList<>();
    private final ByteBuffer into = ByteBuffer.allocateDirect(64 << 10);
    private final ByteBuffer request;

    /// @param body which is the same for all
    Flood(URI at, int calls, String body, List<String> headers) throws IOException {
        StringBuilder head = new StringBuilder("POST " + at.getPath() + " HTTP/1.1\r\nHost: " + at.getAuthority());
        for (int i = 0; i < headers.size(); i += 2) {
            head.append("\r\n").append(headers.get(i)).append(": ").append(headers.get(i + 1));
        }
        head.append("\r\nConnection: close\r\nContent-Length: ").append(body.length());
        request = ByteBuffer.wrap((head + "\r\n\r\n" + body).getBytes(UTF_8));
        for (int i = 0; i < calls; i++) {
            callers.add(new Caller(new InetSocketAddress(at.getHost(), at.getPort())));
        }
    }

    /// One call and what came of it.
    private final class Caller {
        private final SocketChannel channel = SocketChannel.open();
        private final SelectionKey key;
        private final ByteBuffer left = request.duplicate();
        private final StringBuilder answer = new StringBuilder();
        private boolean isOver;

        Caller(InetSocketAddress to) throws IOException {
            channel.connect(to);
            channel.configureBlocking(false);
            left.limit(left.capacity() - HELD_BACK);
            key = channel.register(selector, SelectionKey.OP_WRITE | SelectionKey.OP_READ, this);
        }

        boolean hasSent() {
            return isOver || !left.hasRemaining();
        }

        boolean isOver() {
            return isOver;
        }

        void finish() {
            left.limit(left.capacity());
            if (key.isValid()) {
                key.interestOps(SelectionKey.OP_WRITE | SelectionKey.OP_READ);
            }
        }

        void go() throws IOException {
            try {
                if (key.isReadable()) {
                    read();
                }
                if (key.isValid() && key.isWritable()) {
                    channel.write(left);
                    if (!left.hasRemaining()) {
                        key.interestOps(SelectionKey.OP_READ);
                    }
                }
            } catch (IOException reset) {
                answer.append(reset);
                end();
            }
        }

        private void read() throws IOException {
            into.clear();
            if (channel.read(into) < 0) {
                end();
            }
            into.flip();
            if (answer.length() < SEEN) {
                answer.append(UTF_8.decode(into));
            }
        }

        private void end() throws IOException {
            isOver = true;
            key.cancel();
            channel.close();
        }

        /// `done`, code, category and outcome of a failure with the time to wait, or whatever else there is.
        String outcome() {
            int from = answer.indexOf("{");
            if (answer.length() >= SEEN) {
                return "done";
            }
            if (from < 0) {
                return "no answer: " + answer;
            }
            JsonView frame = RunningGateway.read(answer.substring(from, answer.lastIndexOf("}") + 1));
            JsonView fault = frame.path("result", "_meta", "fusebox/error");
            if (fault == null) {
                return frame.path("result", "content") == null ? frame.json() : "done";
            }
            boolean saysWhen = fault.member("retryAfterMs") != null;
            return RunningGateway.failure(frame) + (saysWhen ? " later" : "");
        }
    }

    /// Sends, and takes what comes, until all are so far.
    private boolean until(Predicate<Caller> isSoFar, Duration limit) throws IOException {
        long begun = PLATFORM.ticker().nanos();
        while (PLATFORM.ticker().nanos() - begun < limit.toNanos()) {
            for (int step = 0; step < STEPS; step++) {
                selector.select(Flood::go, STEP_MILLIS);
            }
            if (callers.stream().allMatch(isSoFar)) {
                return true;
            }
        }
        return false;
    }

    private static void go(SelectionKey key) {
        try {
            ((Caller) key.attachment()).go();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /// What comes of each call.
    List<String> outcomes(Duration limit) throws IOException {
        if (!until(Caller::hasSent, limit)) {
            throw new AssertionError("the gateway reads no more");
        }
        callers.forEach(Caller::finish);
        if (!until(Caller::isOver, limit)) {
            throw new AssertionError("the gateway does not answer");
        }
        return callers.stream().map(Caller::outcome).toList();
    }

    @Override
    public void close() throws IOException {
        for (Caller caller : callers) {
            caller.channel.close();
        }
        selector.close();
    }
}
