package dev.fusebox.gateway;

import dev.fusebox.gateway.admin.AdminApi;
import dev.fusebox.gateway.admin.AdminToken;
import dev.fusebox.gateway.admin.RunFolder;
import dev.fusebox.gateway.front.McpHttpFront;
import dev.fusebox.http.HttpHandler;
import dev.fusebox.http.HttpSettings;
import dev.fusebox.platform.FuseboxCommand;
import dev.fusebox.platform.LazyLoggers;
import dev.fusebox.platform.Platform;
import dev.fusebox.platform.SecretIds;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// The admin endpoint of a running gateway: a Unix socket that only this user can open, and the token for admin
/// requests over TCP. If either cannot be created, the failure is logged and the gateway serves without it. A
/// socket that is removed is created again. Thread-safe; opening blocks for the file system, [#close] until
/// running requests have ended.
public final class AdminSocket implements AutoCloseable {
    private static final System.Logger LOG = LazyLoggers.of(AdminSocket.class);

    /// How often the watcher checks that the socket file exists.
    private static final Duration CHECK_INTERVAL = Duration.ofSeconds(2);

    private final Platform platform;
    private final AdminApi adminApi;
    private final @Nullable Binding binding;
    private final Thread watcher;
    private volatile @Nullable String token;
    private volatile boolean closed;

    /// The last failure to create the socket again, so that it is logged once.
    private String lastProblem = "";

    private AdminSocket(Platform platform, AdminApi adminApi, @Nullable Binding binding, @Nullable String token) {
        this.platform = platform;
        this.adminApi = adminApi;
        this.binding = binding;
        this.token = token;
        this.watcher = Thread.ofVirtual().name("fusebox-admin-socket").unstarted(this::watch);
    }

    /// The folder, the socket file and its endpoint.
    private record Binding(RunFolder folder, Path socket, McpHttpFront front) {}

    /// Opens an endpoint with the admin API, and with MCP for commands that call tools.
    public static AdminSocket open(Platform platform, GatewayCore gateway) {
        RunFolder folder;
        try {
            folder = RunFolder.of(platform).made();
        } catch (IOException | RuntimeException unusable) {
            warn(
                    "cannot open the admin socket; `" + FuseboxCommand.of("status") + "` cannot reach this gateway",
                    unusable);
            return new AdminSocket(platform, gateway.adminApi(), null, null);
        }
        AdminSocket adminSocket =
                new AdminSocket(platform, gateway.adminApi(), binding(platform, folder, gateway), token(folder));
        if (adminSocket.binding != null) {
            adminSocket.watcher.start();
        }
        return adminSocket;
    }

    private static @Nullable Binding binding(Platform platform, RunFolder folder, GatewayCore gateway) {
        try {
            folder.sweep();
            Path path = folder.socket(ProcessHandle.current().pid());
            McpHttpFront.Collaborators collaborators = new McpHttpFront.Collaborators(
                    SecretIds.system(),
                    new LabelServices(gateway::everywhere),
                    null,
                    gateway.adminApi().forOwner());
            return new Binding(
                    folder,
                    path,
                    McpHttpFront.open(platform, HttpSettings.unix(path), gateway.service(), collaborators));
        } catch (IOException | RuntimeException unusable) {
            warn(
                    "cannot open the admin socket; `" + FuseboxCommand.of("status") + "` cannot reach this gateway",
                    unusable);
            return null;
        }
    }

    private static @Nullable String token(RunFolder folder) {
        try {
            return AdminToken.of(folder, SecretIds.system());
        } catch (IOException | RuntimeException unusable) {
            warn("cannot create the admin token; the admin API is read-only", unusable);
            return null;
        }
    }

    private static void warn(String what, Throwable why) {
        LOG.log(Level.WARNING, what + ": " + why.getMessage());
    }

    // ---- What is removed while it runs

    private void watch() {
        try {
            while (binding != null && !platform.await(CHECK_INTERVAL, () -> closed)) {
                rebindIfRemoved(binding);
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    /// Retried at every check; a repeated failure is logged once.
    private void rebindIfRemoved(Binding bound) {
        if (Files.exists(bound.socket(), LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        try {
            bound.folder().made();
            bound.front().listenAgain();
            token = token(bound.folder());
            lastProblem = "";
            LOG.log(Level.WARNING, "admin socket was removed; created again: " + bound.socket());
        } catch (IOException | RuntimeException | Error unusable) {
            if (!lastProblem.equals(String.valueOf(unusable.getMessage()))) {
                lastProblem = String.valueOf(unusable.getMessage());
                warn("admin socket was removed and cannot be created again", unusable);
            }
        }
    }

    // ---- What it is used for

    /// The handler for an HTTP front end that other users can reach.
    public HttpHandler forAll() {
        return adminApi.forAll(() -> token);
    }

    /// Reports that the gateway is draining and accepts no more calls.
    public void drain() {
        adminApi.drain();
        if (binding != null) {
            binding.front().drain();
        }
    }

    /// The number of calls in flight through this socket.
    public int inFlight() {
        return binding == null ? 0 : binding.front().inFlight();
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(watcher);
        adminApi.drain();
        try {
            if (binding != null) {
                binding.front().close(Duration.ZERO);
            }
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException broken) {
            warn("cannot close the admin socket cleanly", broken);
        }
    }
}
