package dev.fusebox.cli;

import dev.fusebox.client.process.OrphanedProcesses;
import dev.fusebox.config.Configuration;
import dev.fusebox.config.HttpConfig;
import dev.fusebox.config.ReadResult;
import dev.fusebox.config.ShareConfig;
import dev.fusebox.gateway.Gateway;
import dev.fusebox.gateway.GatewayConfig;
import dev.fusebox.gateway.GatewayException;
import dev.fusebox.gateway.GatewayOptions;
import dev.fusebox.gateway.Transport;
import dev.fusebox.gateway.reload.ConfigReload;
import dev.fusebox.gateway.share.ShareAddress;
import dev.fusebox.gateway.share.VariableNames;
import dev.fusebox.platform.FuseboxCommand;
import dev.fusebox.platform.LazyLoggers;
import dev.fusebox.platform.Platform;
import dev.fusebox.platform.Program;
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
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The command `serve`, which runs the gateway until its client disconnects or a signal arrives.
final class ServeCommand {
    private static final System.Logger LOG = LazyLoggers.of(ServeCommand.class);
    private static final long FIRST_PROCESS = 1;

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
        try {
            ServeOptions options = ServeOptions.parse(arguments);
            ConfigPlace place = place(options);
            ExitStatus shared = isShared(options, place, output)
                    ? new ConnectorRun(platform, stdio, output).run(options, place)
                    : null;
            return shared == null ? runAlone(arguments, options, place, output) : shared;
        } catch (ServeOptions.Problem problem) {
            output.err().println("fusebox: " + problem.getMessage());
            return ExitStatus.USAGE;
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return ExitStatus.FAILED;
        }
    }

    private ConfigPlace place(ServeOptions options) throws ServeOptions.Problem {
        Path named = options.config();
        return named != null && options.front() == ServeOptions.Front.SHARED_PROJECT
                ? ConfigPlace.ofProject(named, platform)
                : ConfigPlace.find(named, platform);
    }

    /// Whether the client can share a gateway. The file is parsed only if it may say something about that. Without
    /// the launcher no gateway could be started.
    private boolean isShared(ServeOptions options, ConfigPlace place, CommandOutput output) {
        if (options.front() != ServeOptions.Front.STDIO || options.share() == ShareConfig.Mode.OFF) {
            return false;
        }
        boolean isAsked = options.share() == ShareConfig.Mode.AUTO;
        if (ProcessHandle.current().pid() == FIRST_PROCESS) {
            // The container and all its processes end with this client.
            if (isAsked) {
                output.err()
                        .println("fusebox: not sharing a gateway, because this is the first process of a container");
            }
            return false;
        }
        String own = options.unshareable();
        if (own != null && own.equals(ServeOptions.NO_PREFIX) && !isAsked) {
            // Not worth a line: a server that is passed through under its own names is never shared.
            return false;
        }
        boolean isWanted = isAsked || (System.getProperty(ConnectorRun.LAUNCHER) != null && isAuto(place));
        if (isWanted && own != null) {
            output.err().println("fusebox: not sharing a gateway, because of " + own);
        }
        return isWanted && own == null;
    }

    /// A file that cannot be used is reported by a gateway in this process.
    private boolean isAuto(ConfigPlace place) {
        Optional<String> text = place.text();
        boolean isSilent = text.isPresent() && !text.get().contains("\"share\"");
        return isSilent
                || (text.isPresent()
                        && place.readWithoutSecrets(platform) instanceof ReadResult.Usable usable
                        && usable.configuration().share().mode() == ShareConfig.Mode.AUTO);
    }

    /// Runs a gateway in this process.
    private ExitStatus runAlone(List<String> arguments, ServeOptions options, ConfigPlace place, CommandOutput output)
            throws InterruptedException {
        leaveConnector(arguments);
        InspectionGuard guard = InspectionGuard.begin(platform);
        try {
            place.announce(output);
            FuseboxCommand.serves(place.file());
            Platform reading = reading(options, place);
            ConfigReload.Source source = place.followed(reading, options.overrides());
            ReadResult readResult = place.read(reading, options.overrides());
            readResult.lines().forEach(line -> output.err().println("fusebox: " + line));
            return readResult instanceof ReadResult.Usable usable
                    ? serve(new RunOptions(options, source, guard, transport(options, source, usable)), usable, output)
                    : ExitStatus.USAGE;
        } catch (GatewayException problem) {
            output.err().println("fusebox: " + problem.getMessage());
            return ExitStatus.USAGE;
        } catch (IOException refused) {
            output.err().println("fusebox: " + refused.getMessage());
            return ExitStatus.FAILED;
        }
    }

    /// The platform with the variables with which the file is read.
    private Platform reading(ServeOptions options, ConfigPlace place) {
        return switch (options.front()) {
            case STDIO, HTTP -> platform;
            case SHARED, SHARED_PROJECT ->
                platform.withEnvironment(VariableNames.ofSharedGateway(place.file(), platform.environment()));
        };
    }

    /// A JVM that the launcher has started for a connector is too small for a gateway.
    private void leaveConnector(List<String> arguments) {
        String launcher = System.getProperty(ConnectorRun.LAUNCHER);
        if (launcher != null && System.getProperty("fusebox.connector") != null) {
            platform.processes().replaceSelf(new Program(launcher, alone(arguments), platform.environment(), null));
        }
    }

    /// The arguments of a run whose client has a gateway of its own.
    static List<String> alone(List<String> arguments) {
        List<String> words = new ArrayList<>(List.of("serve"));
        words.addAll(arguments);
        int given = words.indexOf(ServeOptions.SHARE);
        if (given < 0) {
            words.addAll(List.of(ServeOptions.SHARE, "off"));
        } else {
            words.set(given + 1, "off");
        }
        return words;
    }

    /// The options, the configuration source and the inspection guard of a run.
    private record RunOptions(
            ServeOptions options,
            ConfigReload.Source source,
            InspectionGuard guard,
            Function<Runnable, Transport> transport) {}

    /// The transport, of which the action is the end of the gateway.
    private Function<Runnable, Transport> transport(
            ServeOptions options, ConfigReload.Source source, ReadResult.Usable read) throws IOException {
        return switch (options.front()) {
            case HTTP -> {
                ShareConfig stated = read.configuration().share();
                ShareConfig.Mode usual = stated.isStated() ? stated.mode() : ShareConfig.Mode.OFF;
                ShareConfig.Mode mode = options.share() == null ? usual : options.share();
                boolean isShared = mode == ShareConfig.Mode.AUTO && !options.noPrefix();
                boolean isApproved = source.approval() != null;
                ShareAddress address = isShared ? ShareAddress.of(platform, source.file(), isApproved) : null;
                yield _ -> new Transport.Http(address);
            }
            case STDIO -> end -> new Transport.Stdio(stdio.in(), stdio.out(), end);
            case SHARED, SHARED_PROJECT -> {
                boolean isApproved = options.front() == ServeOptions.Front.SHARED_PROJECT;
                ShareAddress address = ShareAddress.of(platform, source.file(), isApproved);
                yield end -> new Transport.Shared(address, end);
            }
        };
    }

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
        Transport transport = runOptions.transport().apply(() -> shutdown.begin(ExitStatus.DONE));
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
