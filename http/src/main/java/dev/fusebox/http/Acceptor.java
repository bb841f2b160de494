package dev.fusebox.http;

import dev.fusebox.platform.Platform;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;

/// Accepts connections until its channel is closed. One virtual thread a front; it blocks in `accept`.
///
/// When the system has no more descriptors `accept` fails at once and for as long as that lasts. Then it waits a
/// little longer each time, so that it neither spins nor ends.
final class Acceptor implements Runnable {
    private static final Duration FIRST_PAUSE = Duration.ofMillis(10);
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(500);
    private static final byte[] TOO_MANY = ResponseHeadWriter.refusal(
            RequestRejected.because(503, "too many connections are open; ask again in a second"));

    private final ServerSocketChannel listening;
    private final HttpServer front;
    private final HttpServerLog httpServerLog;
    private final Platform platform;

    Acceptor(ServerSocketChannel listening, HttpServer front, Platform platform) {
        this.listening = listening;
        this.front = front;
        this.httpServerLog = front.httpServerLog();
        this.platform = platform;
    }

    @Override
    public void run() {
        Duration pause = FIRST_PAUSE;
        while (listening.isOpen()) {
            if (acceptOne()) {
                pause = FIRST_PAUSE;
            } else if (listening.isOpen()) {
                rest(pause);
                pause = longer(pause);
            }
        }
    }

    private static Duration longer(Duration pause) {
        Duration twice = pause.multipliedBy(2);
        return twice.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : twice;
    }

    /// Whatever goes wrong here must not end the loop: the program would live on without a front.
    private boolean acceptOne() {
        SocketChannel channel;
        try {
            channel = listening.accept();
        } catch (IOException | RuntimeException | Error e) {
            reportIfOpen("accepting a connection failed; it will be tried again", e);
            return false;
        }
        try {
            prepare(channel);
            front.admit(channel);
        } catch (IOException | RuntimeException | Error e) {
            reportIfOpen("a connection could not be taken over and is closed", e);
            close(channel);
        }
        return true;
    }

    /// Answers are written whole, so nothing is won by holding small ones back; and a peer that vanished without a
    /// word is found by the system some day.
    private static void prepare(SocketChannel channel) throws IOException {
        if (channel.supportedOptions().contains(StandardSocketOptions.TCP_NODELAY)) {
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
        }
    }

    /// Does not wait: the answer fits into the empty buffer of a new connection.
    static void refuse(SocketChannel channel) throws IOException {
        try (channel) {
            channel.write(ByteBuffer.wrap(TOO_MANY));
            channel.shutdownOutput();
        }
    }

    private void rest(Duration pause) {
        try {
            platform.pause(pause);
        } catch (InterruptedException e) {
            throw new IllegalStateException("nobody knows the acceptor, so nobody interrupts it", e);
        }
    }

    private void reportIfOpen(String what, Throwable why) {
        if (listening.isOpen()) {
            httpServerLog.trouble(what, why);
        }
    }

    private void close(SocketChannel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            httpServerLog.trouble("closing a connection failed", e);
        }
    }
}
