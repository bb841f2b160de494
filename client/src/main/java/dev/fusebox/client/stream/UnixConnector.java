package dev.fusebox.client.stream;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Connector;
import dev.fusebox.client.ErrorId;
import dev.fusebox.client.FailureCategory;
import dev.fusebox.client.ServerMessageHandler;
import dev.fusebox.client.http.ChannelStream;
import dev.fusebox.platform.Timer;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Connector over a Unix socket, with one message on each line. Thread-safe; [#open] blocks until the connection is
/// open, or the attempt has failed, at most for the connect timeout.
public final class UnixConnector implements Connector {
    /// Between two attempts to get a place in the queue of a busy server.
    private static final Duration PAUSE = Duration.ofMillis(20);

    private final StreamServer server;
    private final Path path;
    private final Duration connectTimeout;

    public UnixConnector(StreamServer server, Path path, Duration connectTimeout) {
        this.server = server;
        this.path = path;
        this.connectTimeout = connectTimeout;
    }

    @Override
    public Opened open(ServerMessageHandler serverMessageHandler) {
        long begun = server.platform().ticker().nanos();
        while (true) {
            Duration left = connectTimeout.minusNanos(server.platform().ticker().nanos() - begun);
            Attempt attempt = attempt(left, serverMessageHandler);
            String busy = attempt.busy();
            if (busy == null) {
                return attempt.opened();
            }
            if (left.compareTo(PAUSE) <= 0 || !pause()) {
                return new Opened.Refused(timeout(" (" + busy + ")"));
            }
        }
    }

    /// One attempt to connect.
    ///
    /// @param busy why the server did not accept the connection, if it may do so later; null otherwise
    private record Attempt(Opened opened, @Nullable String busy) {}

    private Attempt attempt(Duration left, ServerMessageHandler serverMessageHandler) {
        SocketChannel channel;
        try {
            channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        } catch (IOException none) {
            String message = "cannot open a socket: " + none.getMessage();
            CallFailure ours = CallFailure.notSent(ErrorId.CONNECT_FAILED, FailureCategory.LOCAL, message);
            return new Attempt(new Opened.Refused(ours), null);
        }
        ChannelStream stream = new ChannelStream(channel);
        Timer timer = server.platform().timers().schedule(left, stream::close);
        try {
            channel.connect(UnixDomainSocketAddress.of(path));
        } catch (IOException failed) {
            stream.close();
            boolean isInTime = timer.cancel();
            return new Attempt(
                    new Opened.Refused(isInTime ? failure(failed) : timeout("")),
                    isInTime && isBusy(failed) ? failed.getMessage() : null);
        }
        Opened opened = timer.cancel()
                ? server.connected(stream, new LineFraming(server.limits().frameBytes()), serverMessageHandler)
                : new Opened.Refused(timeout(""));
        return new Attempt(opened, null);
    }

    /// False if the thread was interrupted.
    private boolean pause() {
        try {
            server.platform().pause(PAUSE);
            return true;
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /// Whether a socket may accept a connection later. A virtual thread does not wait for a place in the queue of a
    /// socket, unlike other threads, and there is no exception of its own for a full queue.
    private boolean isBusy(IOException failed) {
        return failed instanceof SocketException && !(failed instanceof ConnectException) && Files.isWritable(path);
    }

    /// @param reason of the last attempt; empty if that is the timeout
    private CallFailure timeout(String reason) {
        return failure(
                ErrorId.CONNECT_TIMEOUT, "connect timed out after " + connectTimeout.toMillis() + " ms" + reason);
    }

    private CallFailure failure(IOException failed) {
        boolean isAbsent = Files.notExists(path);
        ErrorId id =
                isAbsent || failed instanceof ConnectException ? ErrorId.CONNECTION_REFUSED : ErrorId.CONNECT_FAILED;
        return failure(id, String.valueOf(failed.getMessage()));
    }

    private CallFailure failure(ErrorId id, String reason) {
        return CallFailure.of(id, server.secrets().get().hide("Server unreachable: unix:" + path + ": " + reason));
    }
}
