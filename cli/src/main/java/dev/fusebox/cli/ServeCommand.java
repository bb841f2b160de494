package dev.fusebox.cli;

import dev.fusebox.client.process.OrphanedProcesses;
import dev.fusebox.config.Configuration;
import dev.fusebox.config.HttpConfig;
import dev.fusebox.config.ReadResult;
import dev.fusebox.gateway.Gateway;
import dev.fusebox.gateway.GatewayConfig;
import dev.fusebox.gateway.GatewayException;
import dev.fusebox.gateway.GatewayOptions;
import dev.fusebox.gateway.Transport;
import dev.fusebox.gateway.reload.ConfigReload;
import dev.fusebox.platform.FuseboxCommand;
import dev.fusebox.platform.LazyLoggers;
import dev.fusebox.platform.Platform;
import dev.fusebox.platform.Signals;
import dev.fusebox.platform.StandardOutput;
import dev.fusebox.platform.VirtualThreadStarter;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The command `serve`, which runs the gateway until its client disconnects or a signal arrives.
final class ServeCommand {
    private static final System.Logger LOG = LazyLoggers.of(ServeCommand.class);

    private final Platform platform;
    private final Stdio stdio;
    private final Consumer<Shutdown> running;

    ServeCommand(Platform platform) {
        this(platform, new Stdio(new FileInputStream(FileDescriptor.in), new StandardOutput()), shutdown -> {});
    }

    /// @param stdio the streams of the stdio transport
    /// @param running receives the shutdown before the gateway serves
    ServeCommand(Platform platform, Stdio stdio, Consumer<Shutdown> running) {
        this.platform = platform;
        this.stdio = stdio;
        this.running = running;
    }

    /// The two streams of the stdio transport.
    record Stdio(InputStream in, OutputStream out) {}

    ExitStatus run(List<String> arguments, CommandOutput output) {
        InspectionGuard guard = InspectionGuard.begin(platform);
        try {
            ServeOptions options = ServeOptions.parse(arguments);
            ConfigPlace place = ConfigPlace.find(options.config(), platform).printed(output);
            if (place.isNamed()) {
                output.err()
                        .println("fusebox: using "
                                + ServerTable.plain(place.file().toString()));
            }
            FuseboxCommand.serves(place.file());
            ConfigReload.Source source = place.followed(platform, options.overrides());
            ReadResult readResult = place.read(platform, options.overrides());
            readResult.lines().forEach(line -> output.err().println("fusebox: " + line));
            return readResult instanceof ReadResult.Usable usable
                    ? serve(new RunOptions(options, source, guard), usable, output)
                    : ExitStatus.USAGE;
        } catch (ServeOptions.Problem | GatewayException problem) {
            output.err().println("fusebox: " + problem.getMessage());
            return ExitStatus.USAGE;
        } catch (IOException refused) {
            output.err().println("fusebox: " + refused.getMessage());
            return ExitStatus.FAILED;
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return ExitStatus.FAILED;
        }
    }

    /// The options, the configuration source and the inspection guard of a run.
    private record RunOptions(ServeOptions options, ConfigReload.Source source, InspectionGuard guard) {}

    private ExitStatus serve(RunOptions runOptions, ReadResult.Usable read, CommandOutput output)
            throws GatewayException, IOException, InterruptedException {
        try (AsyncLogWriter _ = GatewayLog.relay(platform, new FileOutputStream(FileDescriptor.err))) {
            GatewayLog.suppressRepeats(platform.ticker());
            return serveLogged(runOptions, read, output);
        }
    }

    private ExitStatus serveLogged(RunOptions runOptions, ReadResult.Usable read, CommandOutput output)
            throws GatewayException, IOException, InterruptedException {
        Configuration configuration = read.configuration();
        GatewayConfig config = new GatewayConfig(configuration, read.warnings(), runOptions.source());
        Shutdown shutdown = new Shutdown(platform);
        String version = VersionCommand.ofFusebox();
        GatewayOptions options = options(runOptions, shutdown).withVersion(version);
        try (Gateway gateway = start(config, options)) {
            shutdown.of(gateway::rejectStarts, gateway::killChildren);
            reloadOnHangup(gateway);
            VirtualThreadStarter.start("fusebox-orphans", this::endOrphans, () -> {});
            if (runOptions.options().overHttp()) {
                output.err().println("fusebox: serving on " + gateway.address());
                output.err().flush();
            }
            started(runOptions.options().overHttp() ? gateway.address().toString() : null, config, version);
            shutdown.await();
        }
        return shutdown.exitStatus();
    }

    private GatewayOptions options(RunOptions runOptions, Shutdown shutdown) {
        Transport transport = runOptions.options().overHttp()
                ? new Transport.Http()
                : new Transport.Stdio(stdio.in(), stdio.out(), () -> shutdown.begin(ExitStatus.DONE));
        return GatewayOptions.defaults()
                .withPlatform(platform)
                .withTransport(transport)
                .withPassThrough(runOptions.options().noPrefix())
                .withHome()
                .withWorker(WorkerLauncher::program)
                .withLog(new ServeLog(platform.ticker()))
                .withBeforeServing(() -> prepare(runOptions, shutdown));
    }

    /// Runs before the first client is served.
    private void prepare(RunOptions runOptions, Shutdown shutdown) {
        if (!runOptions.options().overHttp()) {
            // Standard output is reserved for the protocol.
            System.setOut(System.err);
        }
        try {
            runOptions.guard().await();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
        running.accept(shutdown);
    }

    /// Names the program that uses the port, if that is why it cannot start.
    private Gateway start(GatewayConfig config, GatewayOptions options) throws GatewayException, IOException {
        try {
            return Gateway.start(config, options);
        } catch (IOException refused) {
            HttpConfig http = config.configuration().http();
            throw PortConflict.explained(platform, refused, new InetSocketAddress(http.host(), http.port()));
        }
    }

    /// Closing a terminal sends SIGHUP as well; the gateway reloads and does not end.
    private static void reloadOnHangup(Gateway gateway) {
        if (Signals.on("HUP", gateway::reload) == Signals.Handling.IGNORED) {
            LOG.log(
                    Level.INFO,
                    "reload by SIGHUP is not available: the signal was ignored at startup, for example by"
                            + " nohup; changes of the configuration file are still applied");
        }
    }

    /// Stops servers of a gateway that was killed together with its reaper process.
    private void endOrphans() {
        try {
            int ended = OrphanedProcesses.endRemaining(platform);
            if (ended > 0) {
                LOG.log(
                        Level.WARNING,
                        "stopped " + ended + " orphaned " + (ended == 1 ? "process" : "processes")
                                + " of earlier gateways");
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException unlisted) {
            LOG.log(Level.WARNING, "cannot look for orphaned processes: " + unlisted);
        }
    }

    /// The only log line of a successful start.
    ///
    /// @param url null over stdio
    private static void started(@Nullable String url, GatewayConfig config, String version) {
        if (LOG.isLoggable(Level.INFO)) {
            long millis = ProcessAge.millis();
            ConfigReload.Source source = config.source();
            LOG.log(
                    Level.INFO,
                    "gateway started: transport=" + (url == null ? "stdio address=-" : "http address=" + url)
                            + " servers=" + config.configuration().servers().size()
                            + " config=" + (source == null ? "-" : source.file())
                            + " version=" + version
                            + " pid=" + ProcessHandle.current().pid()
                            + (millis < 0 ? "" : " startMs=" + millis));
        }
    }
}
