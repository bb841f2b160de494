package dev.fusebox.testkit.server;

import com.sun.net.httpserver.HttpExchange;
import dev.fusebox.platform.Platform;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/// The answer to one request of the stateless era: one body, with a status of its own, if the answer is the first
/// thing to say; a stream of events if something comes before it, or if it takes time. A stream is never taken up
/// again: when its connection ends, so does the request. Only writing and [#awaitEnd] block.
///
/// ```
///   silent --answer--> ended
///      |                 ^
///      +--send, begin--> streaming --answer, client gone--+
/// ```
final class HttpOutbox implements Outbox {
    private static final int OK = 200;
    /// How long a stream says nothing: short, because that is how long the server takes to notice that its client
    /// left.
    private static final Duration BEAT = Duration.ofMillis(100);
    /// A comment, which means nothing to a client (2026-07-28, Streamable HTTP, receiving messages).
    private static final Pieces COMMENT = Pieces.of(":\n\n");

    private final HttpExchange http;
    private final Platform platform;
    private final boolean streams;
    private final Thread waiter = Thread.currentThread();
    private final ReentrantLock lock = new ReentrantLock();
    private volatile boolean streaming;
    private volatile boolean ended;
    private boolean muted;

    /// Made on the thread that will call [#awaitEnd].
    HttpOutbox(HttpExchange http, Platform platform) {
        this.http = http;
        this.platform = platform;
        this.streams = HttpMessages.takes(http, HttpMessages.EVENTS);
    }

    @Override
    public Pieces encode(Pieces frame) {
        return streams ? Pieces.of("data: ").and(frame).and("\n\n") : frame;
    }

    @Override
    public void send(byte[] frame) {
        if (streams) {
            write(encode(Pieces.of(frame)), Duration.ZERO);
        }
    }

    @Override
    public void begin() {
        if (streams) {
            write(Pieces.of(""), Duration.ZERO);
        }
    }

    @Override
    public void write(Pieces bytes, Duration apart) {
        guarded(() -> {
            if (!streaming) {
                streaming = true;
                open(OK, streams ? HttpMessages.EVENTS : HttpMessages.JSON, 0);
            }
            copy(bytes, apart);
        });
    }

    @Override
    public void writeLast(Pieces bytes) {
        lock.lock();
        try {
            write(bytes, Duration.ZERO);
            muted = true;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void answer(byte[] frame) {
        answer(frame, OK);
    }

    @Override
    public void answer(byte[] frame, int status) {
        guarded(() -> {
            boolean onlyStreams = streams && status == OK && !HttpMessages.takes(http, HttpMessages.JSON);
            if (streaming || onlyStreams) {
                send(frame);
            } else {
                open(status, HttpMessages.JSON, frame.length);
                http.getResponseBody().write(frame);
            }
        });
        finish();
    }

    private void open(int status, String type, int length) throws IOException {
        http.getResponseHeaders().set("Content-Type", type);
        http.getResponseHeaders().set("Cache-Control", "no-cache");
        http.getResponseHeaders().set("X-Accel-Buffering", "no");
        http.sendResponseHeaders(status, length);
    }

    private void copy(Pieces bytes, Duration apart) throws IOException, InterruptedException {
        OutputStream out = http.getResponseBody();
        out.flush();
        for (byte[] piece : bytes) {
            out.write(piece);
            out.flush();
            if (apart.isPositive()) {
                platform.pause(apart);
            }
        }
    }

    private interface Writing {
        void run() throws IOException, InterruptedException;
    }

    /// One at a time, and nothing after the end. An interrupt would close the connection under the write.
    private void guarded(Writing writing) {
        boolean interrupted = Thread.interrupted();
        lock.lock();
        try {
            if (!ended && !muted) {
                writing.run();
            }
        } catch (IOException gone) {
            finish();
        } catch (InterruptedException e) {
            interrupted = true;
        } finally {
            lock.unlock();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /// Blocks until the answer is written or its client has gone.
    void awaitEnd() throws InterruptedException {
        while (!platform.await(BEAT, () -> ended)) {
            if (streaming && streams) {
                write(COMMENT, Duration.ZERO);
            }
        }
    }

    @Override
    public void finish() {
        ended = true;
        LockSupport.unpark(waiter);
    }
}
