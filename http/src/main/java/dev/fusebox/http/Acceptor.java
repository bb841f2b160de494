package dev.fusebox.http;

import dev.fusebox.platform.Platform;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;

/// The accept loop of a server; ends when its channel is closed. One virtual thread per server; it blocks in
/// `accept`.
///
/// When the system has no more descriptors, `accept` fails immediately and repeatedly. The loop then waits a little
/// longer each time, so that it neither spins nor ends.
final class Acceptor implements Runnable {
    private static final Duration FIRST_PAUSE = Duration.ofMillis(10);
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(500);
    private static final byte[] TOO_MANY =
            ResponseHeadWriter.refusal(RequestRejected.because(503, "too many open connections; retry in a second"));

    private final ServerSocketChannel listening;
    private final HttpServer server;
    private final HttpServerLog httpServerLog;
    private final Platform platform;

    Acceptor(ServerSocketChannel listening, HttpServer server, Platform platform) {
        this.listening = listening;
        this.server = server;
        this.httpServerLog = server.httpServerLog();
        this.platform = platform;
    }

    @Override
    public void run() {
        Duration pause = FIRST_PAUSE;
        while (listening.isOpen()) {
            if (acceptOne()) {
                pause = FIRST_PAUSE;
            } else if (listening.isOpen()) {
                pauseFor(pause);
                pause = longer(pause);
            }
        }
    }

    private static Duration longer(Duration pause) {
        Duration twice = pause.multipliedBy(2);
        return twice.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : twice;
    }

    /// No failure may end the loop: the program would continue without accepting connections.
    private boolean acceptOne() {
        SocketChannel channel;
        try {
            channel = listening.accept();
        } catch (IOException | RuntimeException | Error e) {
            reportIfOpen("failed to accept a connection; will retry", e);
            return false;
        }
        try {
            prepare(channel);
            server.admit(channel);
        } catch (IOException | RuntimeException | Error e) {
            reportIfOpen("failed to set up a connection; closed it", e);
            close(channel);
        }
        return true;
    }

    /// Responses are written whole, so delaying small packets gains nothing; and the operating system eventually
    /// finds peers that vanished silently.
    private static void prepare(SocketChannel channel) throws IOException {
        if (channel.supportedOptions().contains(StandardSocketOptions.TCP_NODELAY)) {
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
        }
    }

    /// Does not block: the response fits into the empty buffer of a new connection.
    static void refuse(SocketChannel channel) throws IOException {
        try (channel) {
            channel.write(ByteBuffer.wrap(TOO_MANY));
            channel.shutdownOutput();
        }
    }

    private void pauseFor(Duration pause) {
        try {
            platform.pause(pause);
        } catch (InterruptedException e) {
            throw new IllegalStateException("the acceptor thread is private and is never interrupted", e);
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
            httpServerLog.trouble("failed to close a connection", e);
        }
    }
}
