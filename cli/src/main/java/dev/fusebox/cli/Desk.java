package dev.fusebox.cli;

import dev.fusebox.gateway.admin.Admin;
import dev.fusebox.gateway.admin.AdminToken;
import dev.fusebox.gateway.admin.RunFolder;
import dev.fusebox.gateway.http.Handler;
import dev.fusebox.gateway.http.HttpFront;
import dev.fusebox.gateway.http.HttpSettings;
import dev.fusebox.gateway.mcp.McpHttp;
import dev.fusebox.gateway.stateless.Service;
import dev.fusebox.world.Secrets;
import dev.fusebox.world.World;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Where the owner of a running gateway reaches it: a socket that only this user can open, and a token for those who
/// come over TCP. What cannot be had is told in the log and left out; the gateway serves all the same. Thread-safe;
/// opening blocks as long as the file system does, [#close] until running requests have ended.
final class Desk implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(Desk.class.getName());

    private final Admin admin;
    private final @Nullable Listening socket;
    private final @Nullable String token;

    private Desk(Admin admin, @Nullable Listening socket, @Nullable String token) {
        this.admin = admin;
        this.socket = socket;
        this.token = token;
    }

    /// The same, where the protocol is spoken as well: for commands that call tools.
    ///
    /// @param service that clients are served by
    static Desk open(World world, Admin admin, Service service) {
        return open(world, admin, path -> speaking(world, admin, service, path));
    }

    private static Listening speaking(World world, Admin admin, Service service, Path path) throws IOException {
        McpHttp.Beside beside = new McpHttp.Beside(Secrets.system(), admin.forOwner());
        return new Speaking(McpHttp.open(world, HttpSettings.unix(path), service, beside));
    }

    static Desk open(World world, Admin admin) {
        return open(world, admin, path -> HttpFront.open(HttpSettings.unix(path), admin.forOwner(), world)::close);
    }

    /// What listens at the socket.
    @FunctionalInterface
    private interface Listening {
        void close() throws InterruptedException;

        default void takeNoMore() {}

        default int inFlight() {
            return 0;
        }
    }

    /// With the protocol.
    private record Speaking(McpHttp front) implements Listening {
        @Override
        public void takeNoMore() {
            front.takeNoMore();
        }

        @Override
        public int inFlight() {
            return front.inFlight();
        }

        @Override
        public void close() throws InterruptedException {
            front.close(Duration.ZERO);
        }
    }

    /// Makes what listens at a socket.
    @FunctionalInterface
    private interface Opening {
        Listening at(Path path) throws IOException;
    }

    private static Desk open(World world, Admin admin, Opening opening) {
        RunFolder folder;
        try {
            folder = RunFolder.of(world).made();
        } catch (IOException | RuntimeException unusable) {
            warn("this gateway cannot be reached by commands such as ./fusebox status", unusable);
            return new Desk(admin, null, null);
        }
        return new Desk(admin, socket(folder, opening), token(folder));
    }

    private static @Nullable Listening socket(RunFolder folder, Opening opening) {
        try {
            folder.sweep();
            Path path = folder.socket(ProcessHandle.current().pid());
            return opening.at(path);
        } catch (IOException | RuntimeException unusable) {
            warn("this gateway cannot be reached by commands such as ./fusebox status", unusable);
            return null;
        }
    }

    private static @Nullable String token(RunFolder folder) {
        try {
            return AdminToken.of(folder, Secrets.system());
        } catch (IOException | RuntimeException unusable) {
            warn("nothing can be changed over HTTP", unusable);
            return null;
        }
    }

    private static void warn(String what, Exception why) {
        LOG.log(Level.WARNING, what + ": " + why.getMessage());
    }

    /// For a front that others reach.
    Handler forAll() {
        return admin.forAll(() -> token);
    }

    /// From now on no new work should be sent here, and no call is taken.
    void drain() {
        admin.drain();
        if (socket != null) {
            socket.takeNoMore();
        }
    }

    /// Calls of commands that are under way.
    int inFlight() {
        return socket == null ? 0 : socket.inFlight();
    }

    @Override
    public void close() {
        admin.drain();
        try {
            if (socket != null) {
                socket.close();
            }
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException broken) {
            warn("the owner's socket was not closed in good order", broken);
        }
    }
}
