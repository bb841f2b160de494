package dev.fusebox.gateway;

import dev.fusebox.platform.Platform;
import dev.fusebox.sandbox.WorkerProgram;
import java.util.Optional;
import java.util.function.Supplier;

/// The options of a [Gateway] that are not part of its configuration. Immutable.
///
/// @param platform clocks, environment and processes
/// @param transport between the gateway and its clients
/// @param passesThrough whether the only server is exposed under its own names, unchanged (`--no-prefix`)
/// @param usesHome whether the gateway uses the folder `~/.fusebox` (FUSEBOX_HOME moves it) as `serve` does: for
/// the schema cache, log files, the admin socket and the admin token. Only one gateway of a process may
/// @param worker the program that runs scripts, located when it may be needed; without one `mcp_execute` is not
/// offered
/// @param version of the program, for metrics
/// @param log the log of the program
/// @param beforeServing runs after the gateway is assembled and before its first client is served
public record GatewayOptions(
        Platform platform,
        Transport transport,
        boolean passesThrough,
        boolean usesHome,
        Supplier<Optional<WorkerProgram>> worker,
        String version,
        ProgramLog log,
        Runnable beforeServing) {
    /// A gateway over HTTP that exposes its servers under their names, keeps nothing on disk and runs no scripts.
    public static GatewayOptions defaults() {
        return new GatewayOptions(
                Platform.system(),
                new Transport.Http(),
                false,
                false,
                Optional::empty,
                CoreOptions.UNKNOWN,
                ProgramLog.UNTOUCHED,
                () -> {});
    }

    /// A copy with another platform.
    public GatewayOptions withPlatform(Platform other) {
        return new GatewayOptions(other, transport, passesThrough, usesHome, worker, version, log, beforeServing);
    }

    /// A copy with another transport.
    public GatewayOptions withTransport(Transport other) {
        return new GatewayOptions(platform, other, passesThrough, usesHome, worker, version, log, beforeServing);
    }

    /// A copy that passes the only server through.
    public GatewayOptions withPassThrough(boolean isPassedThrough) {
        return new GatewayOptions(platform, transport, isPassedThrough, usesHome, worker, version, log, beforeServing);
    }

    /// A copy that uses the folder `~/.fusebox`.
    public GatewayOptions withHome() {
        return new GatewayOptions(platform, transport, passesThrough, true, worker, version, log, beforeServing);
    }

    /// A copy with scripts.
    public GatewayOptions withWorker(Supplier<Optional<WorkerProgram>> other) {
        return new GatewayOptions(platform, transport, passesThrough, usesHome, other, version, log, beforeServing);
    }

    /// A copy with the version of the program.
    public GatewayOptions withVersion(String other) {
        return new GatewayOptions(platform, transport, passesThrough, usesHome, worker, other, log, beforeServing);
    }

    /// A copy with the log of the program.
    public GatewayOptions withLog(ProgramLog other) {
        return new GatewayOptions(platform, transport, passesThrough, usesHome, worker, version, other, beforeServing);
    }

    /// A copy with a last step before the first client is served.
    public GatewayOptions withBeforeServing(Runnable other) {
        return new GatewayOptions(platform, transport, passesThrough, usesHome, worker, version, log, other);
    }

    CoreOptions core(PersistentState persistentState) {
        return new CoreOptions(
                new ServeMode(passesThrough, transport.clients()), persistentState, worker, version, null);
    }
}
