package dev.fusebox.gateway.share;

import dev.fusebox.gateway.admin.ServedClients;
import dev.fusebox.platform.LazyLoggers;
import dev.fusebox.platform.Platform;
import dev.fusebox.platform.Timer;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.UserPrincipal;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import jdk.net.ExtendedSocketOptions;
import org.jspecify.annotations.Nullable;

/// The side of a shared gateway to which connectors connect: a Unix socket in the run folder. Thread-safe; [#open]
/// blocks on the file system, and [#close] until the clients in flight are answered.
///
/// A gateway takes the place of another one of the same configuration file by renaming its socket over the
/// other's. The other one sees that within a second, sends its clients on, and ends when the last one has gone. A
/// gateway whose socket was removed places it again within a second, unless another one is being started.
public final class ShareServer implements ServedClients.Sharing {
    private static final System.Logger LOG = LazyLoggers.of(ShareServer.class);

    /// The longest socket path of all supported platforms, without the terminating NUL.
    private static final int MAX_SOCKET_PATH = 103;

    private static final Duration CHECK_INTERVAL = Duration.ofSeconds(1);

    /// The polling interval: calls of other front ends do not notify this one when they end.
    private static final Duration POLL_INTERVAL = Duration.ofMillis(20);

    /// The last answers of all clients are written within this time.
    private static final Duration END_LIMIT = Duration.ofSeconds(2);

    /// The first client has at least this time to connect, because that is how long a client waits for a gateway
    /// that it has started.
    private static final Duration FIRST_CLIENT_LIMIT = GatewayStarter.START_LIMIT;

    private final Platform platform;
    private final ShareAddress address;
    private final Options options;
    private final UserPrincipal user;
    private final Set<ClientLink> links = ConcurrentHashMap.newKeySet();
    private final AtomicLong connections = new AtomicLong();
    private final Thread watcher;

    /// Guards the socket and its place: a gateway that ends does not place its socket again.
    private final Object placing = new Object();

    private ServerSocketChannel listening;
    private volatile @Nullable Object placed;
    private volatile boolean superseded;
    private volatile boolean closed;
    private @Nullable Timer idleTimer;
    private boolean hadClient;

    /// The limit for which the timer is set.
    private Duration idle = Duration.ZERO;

    /// When the last client left. Other programs that connect, such as `doctor`, do not count.
    private long idleSince;

    /// For the watcher only: a failure is logged once, not with each attempt.
    private boolean hasFailedToPlace;

    /// The options of a server. Immutable.
    ///
    /// @param services supplies what clients are served
    /// @param release that this gateway runs
    /// @param limits its times
    /// @param onIdle called when the gateway is no longer needed, on any thread, perhaps several times; must not
    ///     block
    public record Options(SharedServices services, String release, Limits limits, Runnable onIdle) {}

    /// The times of a server. Immutable.
    ///
    /// @param idle supplies how long it stays without a client; must not block
    /// @param drain how long the calls in flight of a client that has left may take
    /// @param clientWrite how long a client may read nothing while output is queued
    public record Limits(Supplier<Duration> idle, Duration drain, Duration clientWrite) {}

    private ShareServer(Platform platform, ShareAddress address, Options options, ServerSocketChannel listening)
            throws IOException {
        this.platform = platform;
        this.address = address;
        this.options = options;
        this.listening = listening;
        this.user = Files.getOwner(address.folder().path(), LinkOption.NOFOLLOW_LINKS);
        this.idleSince = platform.ticker().nanos();
        this.watcher = Thread.ofVirtual().name("fusebox-share-watch").unstarted(this::watch);
    }

    /// Begins to serve connectors.
    ///
    /// @throws IOException if the run folder is not safe, or the socket cannot be made
    public static ShareServer open(Platform platform, ShareAddress address, Options options) throws IOException {
        address.requireSafe();
        Path mine = address.socketOf(ProcessHandle.current().pid());
        if (mine.toString().length() > MAX_SOCKET_PATH) {
            throw new IOException("socket path " + mine + " is longer than " + MAX_SOCKET_PATH
                    + " characters; set FUSEBOX_HOME to a shorter path");
        }
        ServerSocketChannel listening = bound(mine);
        boolean isOpen = false;
        try {
            ShareServer server = new ShareServer(platform, address, options, listening);
            server.place(mine);
            server.begin();
            isOpen = true;
            return server;
        } finally {
            if (!isOpen) {
                listening.close();
                Files.deleteIfExists(mine);
            }
        }
    }

    private static ServerSocketChannel bound(Path mine) throws IOException {
        ServerSocketChannel channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        boolean isBound = false;
        try {
            Files.deleteIfExists(mine);
            channel.bind(UnixDomainSocketAddress.of(mine));
            isBound = true;
            return channel;
        } finally {
            if (!isBound) {
                channel.close();
            }
        }
    }

    private void place(Path mine) throws IOException {
        Files.move(mine, address.socket(), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        placed = inPlace();
    }

    /// What identifies the file at the address of the socket; null if there is none.
    private @Nullable Object inPlace() throws IOException {
        try {
            return Files.readAttributes(address.socket(), BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                    .fileKey();
        } catch (NoSuchFileException gone) {
            return null;
        }
    }

    private void begin() {
        accept(listening);
        watcher.start();
        restOrEnd();
    }

    private void accept(ServerSocketChannel from) {
        Thread.ofPlatform().daemon().name("fusebox-share").start(() -> acceptAll(from));
    }

    // ---- Clients

    private void acceptAll(ServerSocketChannel from) {
        while (!closed) {
            try {
                SocketChannel channel = from.accept();
                if (!isOfThisUser(channel)) {
                    LOG.log(Level.WARNING, "refused a connection of another user to " + address.socket());
                    channel.close();
                    continue;
                }
                begin(channel);
            } catch (ClosedChannelException ended) {
                return;
            } catch (IOException | RuntimeException | Error failed) {
                LOG.log(Level.ERROR, "cannot accept a client on " + address.socket(), failed);
                pauseAccepting();
            }
        }
    }

    /// Without free descriptors, accepting would fail again at once.
    private void pauseAccepting() {
        try {
            platform.await(CHECK_INTERVAL, () -> closed);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean isOfThisUser(SocketChannel channel) throws IOException {
        try {
            return channel.getOption(ExtendedSocketOptions.SO_PEERCRED).user().equals(user);
        } catch (UnsupportedOperationException unknown) {
            // The folder keeps others out.
            return true;
        }
    }

    private void begin(SocketChannel channel) throws IOException {
        ClientLink link = new ClientLink(this, LinkStreams.over(channel), connections.incrementAndGet());
        links.add(link);
        cancelIdleTimer();
        boolean isServed = false;
        try {
            Thread.ofPlatform().daemon().name("fusebox-link").start(() -> {
                try {
                    link.run();
                } finally {
                    left(link);
                }
            });
            isServed = true;
        } finally {
            if (!isServed) {
                // The thread could not be started.
                link.close();
                left(link);
            }
        }
    }

    private synchronized void left(ClientLink link) {
        links.remove(link);
        if (link.isOfConnector()) {
            hadClient = true;
            idleSince = platform.ticker().nanos();
        }
        restOrEnd();
    }

    Platform platform() {
        return platform;
    }

    ShareAddress address() {
        return address;
    }

    Options options() {
        return options;
    }

    /// The number of calls in flight.
    public int inFlight() {
        return links.stream().mapToInt(ClientLink::inFlight).sum();
    }

    @Override
    public int count() {
        return (int) links.stream().filter(ClientLink::isOfConnector).count();
    }

    // ---- The end

    @Override
    public synchronized Optional<Duration> untilEnd() {
        if (idleTimer == null) {
            return Optional.empty();
        }
        return Optional.of(left());
    }

    private Duration left() {
        Duration left = idle.minusNanos(platform.ticker().nanos() - idleSince);
        return left.isNegative() ? Duration.ZERO : left;
    }

    private synchronized void cancelIdleTimer() {
        if (idleTimer != null) {
            idleTimer.cancel();
            idleTimer = null;
        }
    }

    private synchronized void restOrEnd() {
        if (!links.isEmpty() || closed) {
            return;
        }
        if (superseded) {
            options.onIdle().run();
        } else if (idleTimer == null) {
            setIdleTimer();
        }
    }

    /// The client that has started this gateway may not have connected yet.
    private Duration idleLimit() {
        Duration limit = options.limits().idle().get();
        return hadClient || limit.compareTo(FIRST_CLIENT_LIMIT) > 0 ? limit : FIRST_CLIENT_LIMIT;
    }

    private synchronized void setIdleTimer() {
        idle = idleLimit();
        idleTimer = platform.timers().schedule(left(), this::endIfIdle);
    }

    /// The limit in the configuration file may have changed since the timer was set.
    private synchronized void adaptIdleTimer() {
        if (idleTimer != null && !idle.equals(idleLimit())) {
            idleTimer.cancel();
            setIdleTimer();
        }
    }

    private synchronized void endIfIdle() {
        idleTimer = null;
        if (links.isEmpty() && !closed) {
            options.onIdle().run();
        }
    }

    private void watch() {
        try {
            while (!platform.await(CHECK_INTERVAL, () -> closed)) {
                if (superseded) {
                    links.forEach(ClientLink::moveIfFree);
                } else {
                    look();
                    askForVariables();
                    adaptIdleTimer();
                }
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private void look() {
        try {
            Object there = inPlace();
            if (there == null) {
                placeAgain();
            } else if (!there.equals(placed)) {
                supersede();
            }
        } catch (IOException unreadable) {
            LOG.log(Level.DEBUG, "cannot look at " + address.socket(), unreadable);
        }
    }

    /// Without a socket, each new client would start another gateway. If one is being started, it takes over.
    private void placeAgain() {
        try {
            address.requireSafe();
            try (StartLock lock = StartLock.tryTake(address.startLock())) {
                if (lock != null && inPlace() == null) {
                    listenAgain(address.socketOf(ProcessHandle.current().pid()));
                    hasFailedToPlace = false;
                }
            }
        } catch (IOException unusable) {
            Level level = hasFailedToPlace ? Level.DEBUG : Level.WARNING;
            hasFailedToPlace = true;
            LOG.log(
                    level,
                    "the socket of this gateway was removed and cannot be placed again: " + unusable.getMessage());
        }
    }

    private void listenAgain(Path mine) throws IOException {
        synchronized (placing) {
            if (closed) {
                return;
            }
            ServerSocketChannel next = bound(mine);
            boolean isPlaced = false;
            try {
                place(mine);
                isPlaced = true;
            } finally {
                if (!isPlaced) {
                    next.close();
                    Files.deleteIfExists(mine);
                }
            }
            ServerSocketChannel removed = listening;
            listening = next;
            accept(next);
            removed.close();
        }
        LOG.log(Level.WARNING, "the socket of this gateway was removed and has been placed again: " + address.socket());
    }

    /// The changed file may refer to variables that clients were not asked for; they are when they connect again.
    private void askForVariables() {
        List<String> names = options.services().variables();
        links.forEach(link -> link.moveIfUnasked(names));
    }

    /// It then ends after its last client.
    @Override
    public boolean isReplaced() {
        return superseded;
    }

    private void supersede() {
        superseded = true;
        LOG.log(
                Level.INFO,
                "another gateway has taken over; this gateway ends when its " + links.size()
                        + " clients have left or have moved to the other one");
        links.forEach(ClientLink::moveIfFree);
        restOrEnd();
    }

    /// Refuses new clients, sends those that are here to another gateway, and waits for their calls in flight, and
    /// for others, at most for the limit.
    ///
    /// @param others the number of calls in flight of other front ends
    /// @param closeServers ends the calls that are still in flight
    public void close(Duration drain, IntSupplier others, Runnable closeServers) throws InterruptedException {
        refuse();
        long begun = platform.ticker().nanos();
        try {
            while (inFlight() + others.getAsInt() > 0 && platform.ticker().nanos() - begun < drain.toNanos()) {
                platform.await(POLL_INTERVAL, () -> inFlight() + others.getAsInt() == 0);
            }
            closeServers.run();
        } finally {
            links.forEach(ClientLink::end);
            platform.await(END_LIMIT, links::isEmpty);
            links.forEach(ClientLink::close);
            removeStartFiles();
        }
    }

    /// What is left of its start, unless the next gateway is being started or is in place.
    private void removeStartFiles() {
        try (StartLock lock = StartLock.tryTake(address.startLock())) {
            if (lock != null && inPlace() == null) {
                Files.deleteIfExists(address.startLog());
                lock.delete();
            }
        } catch (IOException left) {
            LOG.log(Level.DEBUG, "cannot remove " + address.startLock(), left);
        }
    }

    /// Refuses new clients, and sends those that are here to another gateway. Their calls in flight are answered.
    /// May be called before [#close].
    public void refuse() {
        closed = true;
        LockSupport.unpark(watcher);
        cancelIdleTimer();
        synchronized (placing) {
            leavePlace();
        }
        links.forEach(ClientLink::move);
    }

    private void leavePlace() {
        try {
            if (Objects.equals(inPlace(), placed)) {
                Files.deleteIfExists(address.socket());
            }
            listening.close();
        } catch (IOException left) {
            LOG.log(Level.DEBUG, "cannot remove " + address.socket(), left);
        }
    }
}
