package dev.fusebox.http;

import dev.fusebox.platform.Platform;
import dev.fusebox.platform.Ticker;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// An HTTP/1.1 server on one address. Thread-safe; [#open] blocks for as long as binding takes, and [#close] until
/// running requests have ended, at most [HttpTimes#closing].
///
/// Threads, all virtual: one that accepts, one that checks deadlines, one per connection, and one more for a
/// connection whose handler asks for disconnects.
public final class HttpServer implements AutoCloseable {
    private final HttpSettings settings;
    private final HttpHandler handler;
    private final Platform platform;
    private volatile ServerSocketChannel listening;
    private final SocketAddress bound;
    private final HostGuard guard;
    private final PeerGuard peerGuard;
    private final RequestMemory room;
    private final HttpServerLog httpServerLog = new HttpServerLog();
    private final Set<HttpServerConnection> connections = ConcurrentHashMap.newKeySet();
    private final ConnectionSweeper connectionSweeper;
    private final Thread sweeping;
    private volatile boolean closing;
    private volatile @Nullable Thread closer;

    private HttpServer(HttpSettings settings, HttpHandler handler, Platform platform) throws IOException {
        this.settings = settings;
        this.handler = handler;
        this.platform = platform;
        this.listening = ListenSocket.bind(settings.address());
        this.bound = listening.getLocalAddress();
        this.guard = HostGuard.of(settings, bound);
        this.peerGuard = PeerGuard.of(settings.otherUsersPolicy(), platform.peerUsers(), httpServerLog);
        this.room = new RequestMemory(settings.limits().maxBodiesBytes());
        this.connectionSweeper = new ConnectionSweeper(connections, settings.times(), platform);
        this.sweeping = Thread.ofVirtual().name("fusebox-http-sweeper").unstarted(connectionSweeper);
    }

    /// Opens a server, which then accepts connections.
    ///
    /// @throws IOException if the address cannot be bound; the message says what to do
    public static HttpServer open(HttpSettings settings, HttpHandler handler, Platform platform) throws IOException {
        var server = new HttpServer(settings, handler, platform);
        server.sweeping.start();
        server.acceptFrom(server.listening);
        return server;
    }

    private void acceptFrom(ServerSocketChannel channel) {
        Thread.ofVirtual().name("fusebox-http-acceptor").start(new Acceptor(channel, this, platform));
    }

    /// Binds the Unix socket again after its file was removed, since clients cannot find the old one. Connections
    /// stay open. Must not be called by two threads concurrently.
    ///
    /// @throws IOException if it cannot be bound; the message says what to do
    public void listenAgain() throws IOException {
        ServerSocketChannel last = listening;
        ServerSocketChannel next = ListenSocket.bind(bound);
        try {
            acceptFrom(next);
        } catch (RuntimeException | Error noThread) {
            ListenSocket.unbind(next, bound);
            throw noThread;
        }
        listening = next;
        last.close();
        // A thread that closes first sets the flag and then unbinds: one of the two threads sees the other.
        if (closing) {
            unbind();
        }
    }

    /// The bound port; -1 for a Unix socket.
    public int port() {
        return bound instanceof InetSocketAddress tcp ? tcp.getPort() : -1;
    }

    /// The bound address.
    public SocketAddress address() {
        return bound;
    }

    /// The number of open connections.
    public int connections() {
        return connections.size();
    }

    /// Stops accepting, closes idle connections, waits for the others, and closes those that remain. Open streams
    /// should be closed before.
    @Override
    public void close() {
        closing = true;
        closer = Thread.currentThread();
        unbind();
        connections.forEach(HttpServerConnection::endIfIdle);
        boolean interrupted = waitForTheRest();
        connections.forEach(HttpServerConnection::cut);
        connectionSweeper.stop();
        LockSupport.unpark(sweeping);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /// Once only: afterwards the path may belong to another process.
    private void unbind() {
        try {
            if (listening.isOpen()) {
                ListenSocket.unbind(listening, bound);
            }
        } catch (IOException e) {
            httpServerLog.trouble("failed to close " + bound, e);
        }
    }

    private boolean waitForTheRest() {
        try {
            platform.await(settings.times().closing(), connections::isEmpty);
            return false;
        } catch (InterruptedException e) {
            return true;
        }
    }

    void admit(SocketChannel channel) throws IOException {
        if (connections.size() >= limits().maxConnections()) {
            Acceptor.refuse(channel);
            return;
        }
        var connection = new HttpServerConnection(channel, channel.getRemoteAddress(), this);
        connections.add(connection);
        if (closing) {
            connection.end();
            return;
        }
        try {
            connection.start(connection::runFirst);
        } catch (RuntimeException | Error e) {
            connection.end();
            throw e;
        }
    }

    HttpLimits limits() {
        return settings.limits();
    }

    HttpTimes times() {
        return settings.times();
    }

    HttpHandler handler() {
        return handler;
    }

    HttpServerLog httpServerLog() {
        return httpServerLog;
    }

    HostGuard guard() {
        return guard;
    }

    PeerGuard peerGuard() {
        return peerGuard;
    }

    RequestMemory room() {
        return room;
    }

    Ticker ticker() {
        return platform.ticker();
    }

    boolean isClosing() {
        return closing;
    }

    /// Returns false if it had already been removed.
    boolean forget(HttpServerConnection connection) {
        boolean first = connections.remove(connection);
        if (closing && connections.isEmpty()) {
            LockSupport.unpark(closer);
        }
        return first;
    }
}
