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
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;

/// Connector over a Unix socket, with one message on each line. Thread-safe; [#open] blocks until the connection is
/// open, or the attempt has failed, at most for the connect timeout.
public final class UnixConnector implements Connector {
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
        SocketChannel channel;
        try {
            channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        } catch (IOException none) {
            String message = "cannot open a socket: " + none.getMessage();
            return new Opened.Refused(CallFailure.notSent(ErrorId.CONNECT_FAILED, FailureCategory.LOCAL, message));
        }
        ChannelStream stream = new ChannelStream(channel);
        Timer timer = server.platform().timers().schedule(connectTimeout, stream::close);
        try {
            channel.connect(UnixDomainSocketAddress.of(path));
        } catch (IOException failed) {
            stream.close();
            return new Opened.Refused(failure(timer.cancel(), failed));
        }
        if (!timer.cancel()) {
            return new Opened.Refused(failure(false, new IOException("timed out")));
        }
        return server.connected(stream, new LineFraming(server.limits().frameBytes()), serverMessageHandler);
    }

    private CallFailure failure(boolean isInTime, IOException failed) {
        if (!isInTime) {
            String late = "connect timed out after " + connectTimeout.toMillis() + " ms";
            return failure(ErrorId.CONNECT_TIMEOUT, late);
        }
        ErrorId id = failed instanceof ConnectException ? ErrorId.CONNECTION_REFUSED : ErrorId.CONNECT_FAILED;
        return failure(id, String.valueOf(failed.getMessage()));
    }

    private CallFailure failure(ErrorId id, String reason) {
        return CallFailure.of(id, server.secrets().get().hide("Server unreachable: unix:" + path + ": " + reason));
    }
}
