package dev.fusebox.gateway;

import dev.fusebox.config.Configuration;
import dev.fusebox.gateway.reload.ConfigWatcher;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// A complete running gateway, as a part of any Java program: front end, upstream servers, reload of the changed
/// configuration file and, on request, the state in `~/.fusebox`. The command `serve` runs exactly this.
///
/// A gateway owns what it has started, until [#close]: its child processes and their reaper process, its threads
/// (names start with `fusebox-`), the port it listens on, the connections to remote servers and, with
/// [GatewayOptions#withHome], the admin socket and the open files in `~/.fusebox`. Without that it writes no file,
/// except for the token of its clients if `http.auth.mode` requires one. It neither ends the program nor handles
/// signals nor prints; it logs through [System.Logger] (see [ProgramLog]). On Linux the process adopts orphans of
/// its child processes from the first start of a child on.
///
/// Thread-safe. [#start] blocks until clients are served, which does not wait for any server. [#close] blocks
/// until everything has ended: calls in flight have `pool.drainMs`, processes then some seconds.
public final class Gateway implements AutoCloseable {
    private final Parts parts;

    /// Starts a gateway over HTTP from a configuration file, whose changes it applies.
    ///
    /// @throws GatewayException if the configuration cannot be served
    /// @throws IOException if it cannot listen
    public static Gateway start(Path file) throws GatewayException, IOException {
        return start(GatewayConfig.read(file));
    }

    /// Starts a gateway over HTTP.
    ///
    /// @throws GatewayException if the configuration cannot be served
    /// @throws IOException if it cannot listen
    public static Gateway start(GatewayConfig config) throws GatewayException, IOException {
        return start(config, GatewayOptions.defaults());
    }

    /// Starts a gateway. If that fails, everything that was started has ended before the exception is thrown.
    ///
    /// @throws GatewayException if the configuration cannot be served
    /// @throws IOException if it cannot listen; the cause is a `BindException` if the port is in use
    public static Gateway start(GatewayConfig config, GatewayOptions options) throws GatewayException, IOException {
        return new Gateway(new GatewayStart(config, options).run());
    }

    Gateway(Parts parts) {
        this.parts = parts;
    }

    /// What a started gateway consists of. Immutable.
    ///
    /// @param owned closes all of it
    /// @param watcher null if there is no file to follow
    /// @param address null if the transport is not HTTP
    record Parts(
            CloseSteps owned,
            GatewayCore core,
            @Nullable ConfigWatcher watcher,
            @Nullable URI address) {}

    /// The URL of its MCP endpoint, with the port on which it listens.
    ///
    /// @throws IllegalStateException if its transport is not HTTP
    public URI address() {
        URI address = parts.address();
        if (address == null) {
            throw new IllegalStateException("the transport is not HTTP");
        }
        return address;
    }

    /// The active configuration, which changes with its file.
    public Configuration configuration() {
        return parts.core().configuration();
    }

    /// Has the configuration file read again, whether it has changed or not. Does not block; without a file it
    /// does nothing.
    public void reload() {
        ConfigWatcher watcher = parts.watcher();
        if (watcher != null) {
            watcher.readNow();
        }
    }

    /// Rejects the start of further child processes, for a program that is about to end. Does not block.
    public void rejectStarts() {
        parts.core().children().rejectStarts();
    }

    /// Kills all child processes at once, also while [#close] waits in another thread. Blocks until they are gone,
    /// for some seconds at most.
    public void killChildren() {
        parts.core().children().kill();
    }

    /// Ends the gateway: no new calls are accepted, calls in flight may finish within `pool.drainMs`, then
    /// everything it owns is closed. If the thread is interrupted, calls in flight are not waited for, and its
    /// interrupt status is set at the end. Further calls have no effect, but wait until the first one is done.
    @Override
    public void close() {
        parts.owned().close();
    }
}
