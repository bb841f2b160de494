package dev.fusebox.testkit.server;

import dev.fusebox.platform.Platform;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/// A line over TCP on the loopback address that can be spoilt while it is used: it passes on to a server what it
/// gets from clients, and back, under the [LineFault] that is set.
///
/// Thread-safe. Nothing blocks for longer than the kernel takes; each connection has threads of its own, which end
/// with it or with [#close].
public final class FaultProxy implements AutoCloseable {
    private final Platform platform = Platform.system();
    private final InetSocketAddress server;
    private final Set<ProxiedConnection> proxiedConnections = ConcurrentHashMap.newKeySet();
    private final List<SocketChannel> fillers = new ArrayList<>();
    private final AtomicInteger accepted = new AtomicInteger();
    private final int port;
    private volatile LineFault lineFault = new LineFault.None();
    private ServerSocket listener;
    private Thread acceptor;
    private boolean closed;

    private FaultProxy(InetSocketAddress server) throws IOException {
        this.server = server;
        this.listener = listen(0, 50);
        this.port = listener.getLocalPort();
        this.acceptor = accept(listener);
    }

    /// A line to a port of the loopback address.
    public static FaultProxy to(int port) throws IOException {
        return new FaultProxy(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    }

    /// The port that clients connect to. It stays the same, whatever the trouble.
    public int port() {
        return port;
    }

    /// The same address, by way of this line.
    public URI through(URI address) {
        return URI.create(address.getScheme() + "://" + address.getHost() + ":" + port + address.getRawPath());
    }

    /// How many connections were accepted so far.
    public int accepted() {
        return accepted.get();
    }

    /// How many of them are alive.
    public int alive() {
        return proxiedConnections.size();
    }

    /// Exchanges the trouble, for new connections and for those that exist.
    public synchronized void set(LineFault other) {
        if (closed) {
            throw new IllegalStateException("the line is closed for good");
        }
        lineFault = other;
        try {
            relisten(other);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot listen on port " + port + " again", e);
        }
        if (isBroken(other)) {
            resetAll();
        }
    }

    /// Resets all connections that exist, whatever the trouble.
    public void resetAll() {
        proxiedConnections.forEach(ProxiedConnection::reset);
    }

    LineFault lineFault() {
        return lineFault;
    }

    Platform platform() {
        return platform;
    }

    void ended(ProxiedConnection proxiedConnection) {
        proxiedConnections.remove(proxiedConnection);
    }

    /// Whether no connection lives under it.
    private static boolean isBroken(LineFault lineFault) {
        return lineFault instanceof LineFault.Refused || lineFault instanceof LineFault.Reset;
    }

    private void relisten(LineFault other) throws IOException {
        stopListening();
        for (SocketChannel filler : fillers) {
            filler.close();
        }
        fillers.clear();
        switch (other) {
            case LineFault.Refused refused -> {}
            case LineFault.Unanswered unanswered -> listenToNobody();
            case LineFault.None none -> listenAgain();
            case LineFault.Reset reset -> listenAgain();
            case LineFault.BlackHole hole -> listenAgain();
            case LineFault.Delayed delayed -> listenAgain();
            case LineFault.Dripping dripping -> listenAgain();
            case LineFault.CutAfter cut -> listenAgain();
            case LineFault.ResetAfter reset -> listenAgain();
            case LineFault.HalfClosed halfClosed -> listenAgain();
        }
    }

    private void listenAgain() throws IOException {
        listener = listen(port, 50);
        acceptor = accept(listener);
    }

    /// The kernel answers nobody while a queue is full that nobody takes from.
    private void listenToNobody() throws IOException {
        listener = listen(port, 1);
        for (int i = 0; i < 4; i++) {
            SocketChannel filler = SocketChannel.open();
            filler.configureBlocking(false);
            filler.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            fillers.add(filler);
        }
    }

    private static ServerSocket listen(int port, int backlog) throws IOException {
        ServerSocket listener = new ServerSocket();
        listener.setReuseAddress(true);
        listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), backlog);
        return listener;
    }

    /// The port is free only after the thread that waits at it has noticed.
    private void stopListening() throws IOException {
        listener.close();
        try {
            acceptor.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Thread accept(ServerSocket from) {
        return Thread.ofVirtual().name("fault proxy " + from.getLocalPort()).start(() -> {
            try {
                while (true) {
                    Socket client = from.accept();
                    accepted.incrementAndGet();
                    Thread.ofVirtual().name("connects").start(() -> connect(client));
                }
            } catch (IOException e) {
                // The listener was closed: by another trouble, or for good.
            }
        });
    }

    private void connect(Socket client) {
        try {
            ProxiedConnection proxiedConnection =
                    new ProxiedConnection(this, client, new Socket(server.getAddress(), server.getPort()));
            proxiedConnections.add(proxiedConnection);
            if (isBroken(lineFault)) {
                proxiedConnection.reset();
            } else {
                proxiedConnection.start();
            }
        } catch (IOException unreachable) {
            ProxiedConnection.reset(client);
        }
    }

    /// Closes the port and all connections.
    @Override
    public synchronized void close() {
        closed = true;
        lineFault = new LineFault.Refused();
        try {
            relisten(lineFault);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot close port " + port, e);
        }
        resetAll();
    }
}
