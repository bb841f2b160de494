package dev.fusebox.cli;

import dev.fusebox.client.process.OrphanedProcesses;
import dev.fusebox.config.Configuration;
import dev.fusebox.config.HttpConfig;
import dev.fusebox.config.ReadResult;
import dev.fusebox.config.SelfReference;
import dev.fusebox.gateway.cache.SchemaCache;
import dev.fusebox.gateway.front.McpHttpFront;
import dev.fusebox.gateway.front.StdioFrontEnd;
import dev.fusebox.gateway.observe.LogBuffer;
import dev.fusebox.gateway.reload.ConfigReload;
import dev.fusebox.gateway.reload.ConfigWatcher;
import dev.fusebox.gateway.settings.Endpoints;
import dev.fusebox.gateway.settings.FrontSettings;
import dev.fusebox.platform.FuseboxCommand;
import dev.fusebox.platform.LazyLoggers;
import dev.fusebox.platform.Platform;
import dev.fusebox.platform.SecretIds;
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
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
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
            ConfigPlace place = ConfigPlace.find(options.config(), platform).told(output);
            if (place.isNamed()) {
                output.err()
                        .println("fusebox: using "
                                + ServerTable.plain(place.file().toString()));
            }
            FuseboxCommand.serves(place.file());
            refuseItself(place.file());
            ConfigReload.Source source = place.followed(platform, options.overrides());
            ReadResult readResult = place.read(platform, options.overrides());
            readResult.lines().forEach(line -> output.err().println("fusebox: " + line));
            return readResult instanceof ReadResult.Usable usable
                    ? serve(new Asked(options, source, guard), usable, output)
                    : ExitStatus.USAGE;
        } catch (ServeOptions.Problem problem) {
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

    /// Detects by environment variable that a server of this file has started this gateway, which its command line
    /// need not show.
    private void refuseItself(Path file) throws ServeOptions.Problem {
        if (SelfReference.isServedAbove(platform.environment(), file)) {
            throw new ServeOptions.Problem(
                    "not serving " + file + ", because this gateway was started by a gateway that serves"
                            + " the same file (see " + SelfReference.SERVED + "), which would cause endless recursion;"
                            + " remove the server that starts Fusebox from the file");
        }
    }

    /// The options, the configuration source and the inspection guard of a run.
    private record Asked(ServeOptions options, ConfigReload.Source source, InspectionGuard guard) {}

    private ExitStatus serve(Asked asked, ReadResult.Usable read, CommandOutput output)
            throws ServeOptions.Problem, IOException, InterruptedException {
        Configuration configuration = read.configuration();
        GatewayLog.hide(Endpoints.secrets(configuration));
        try (AsyncLogWriter _ = GatewayLog.relay(platform, new FileOutputStream(FileDescriptor.err))) {
            GatewayLog.from(configuration.gateway().logLevel());
            GatewayLog.sayOnce(platform.ticker());
            return serveLogged(asked, read, output);
        }
    }

    private ExitStatus serveLogged(Asked asked, ReadResult.Usable read, CommandOutput output)
            throws ServeOptions.Problem, IOException, InterruptedException {
        ServeOptions options = asked.options();
        ConfigReload.Source source = asked.source();
        Configuration configuration = read.configuration();
        try (SchemaCache cache = cache(source);
                Gateway gateway = Gateway.open(
                        platform.withEnvironment(SelfReference.below(platform.environment(), source.file())),
                        configuration,
                        options.serveMode(),
                        PersistentState.in(cache));
                LogCopier _ = LogCopier.of(platform, gateway.logBuffer(), gateway::hide);
                GatewayLog.Copy _ =
                        GatewayLog.copyTo(line -> gateway.logBuffer().write(LogBuffer.OWN, line), platform.ticker());
                ConfigWatcher watch = watch(source, read, gateway)) {
            gateway.tellPlace(source.file());
            VirtualThreadStarter.start("fusebox-orphans", this::endOrphans, () -> {});
            // Nothing is added to a project file, which runs only with its approved content.
            if (source.approval() == null) {
                gateway.growInto(source.file(), watch::readNow);
            }
            Shutdown shutdown = new Shutdown(platform, gateway.children(), watch::close);
            reloadOnHangup(watch);
            asked.guard().await();
            running.accept(shutdown);
            if (options.overHttp()) {
                serveHttp(configuration, gateway, shutdown, output);
            } else {
                serveStdio(gateway, shutdown);
            }
            return shutdown.exitStatus();
        }
    }

    /// Closing a terminal sends SIGHUP as well; the gateway reloads and does not end.
    private static void reloadOnHangup(ConfigWatcher watch) {
        if (Signals.on("HUP", watch::readNow) == Signals.Handling.IGNORED) {
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

    /// Null if there is no place for it; the gateway works without one.
    private @Nullable SchemaCache cache(ConfigReload.Source source) {
        try {
            return CacheCommand.of(platform, source.file());
        } catch (IOException nowhere) {
            LOG.log(Level.WARNING, "cannot open the schema cache: " + nowhere.getMessage());
            return null;
        }
    }

    private ConfigWatcher watch(ConfigReload.Source source, ReadResult.Usable read, Gateway gateway) {
        ConfigReload.Running running = (next, difference) -> {
            GatewayLog.hide(Endpoints.secrets(next));
            Optional<String> objection = gateway.become(next, difference);
            if (objection.isEmpty()) {
                GatewayLog.from(next.gateway().logLevel());
            }
            return objection;
        };
        ConfigReload configReload = new ConfigReload(source, read.configuration(), running, gateway::tell);
        return ConfigWatcher.begin(platform, configReload.after(read.warnings()));
    }

    /// Redirects standard output, which is reserved for the protocol, to standard error.
    private void serveStdio(Gateway gateway, Shutdown shutdown) throws InterruptedException {
        System.setOut(System.err);
        StdioFrontEnd.Streams streams = new StdioFrontEnd.Streams(
                stdio.in(), stdio.out(), gateway.configuration().limits().clientWrite());
        StdioFrontEnd front = new StdioFrontEnd(platform, gateway.service(), SecretIds.system(), streams);
        front.start(() -> shutdown.begin(ExitStatus.DONE));
        try (AdminSocket adminSocket = AdminSocket.open(platform, gateway.adminApi(), gateway.service())) {
            started("stdio", "-", gateway);
            shutdown.await();
            adminSocket.drain();
            front.close(gateway.configuration().pool().drain(), adminSocket::inFlight);
        }
    }

    private void serveHttp(Configuration configuration, Gateway gateway, Shutdown shutdown, CommandOutput output)
            throws IOException, InterruptedException {
        try (AdminSocket adminSocket = AdminSocket.open(platform, gateway.adminApi(), gateway.service())) {
            McpHttpFront.Beside beside = new McpHttpFront.Beside(SecretIds.system(), adminSocket.forAll());
            McpHttpFront front = listening(configuration, gateway, beside);
            InetAddress address = configuration.http().host();
            String host =
                    address instanceof Inet6Address ? "[" + address.getHostAddress() + "]" : address.getHostAddress();
            String url = "http://" + host + ":" + front.port() + "/mcp";
            output.err().println("fusebox: serving on " + url);
            output.err().flush();
            started("http", url, gateway);
            shutdown.await();
            adminSocket.drain();
            front.close(gateway.configuration().pool().drain(), adminSocket::inFlight);
        }
    }

    /// The only log line of a successful start.
    private void started(String transport, String address, Gateway gateway) {
        if (LOG.isLoggable(Level.INFO)) {
            long millis = ProcessAge.millis();
            Path file = gateway.place();
            LOG.log(
                    Level.INFO,
                    "gateway started: transport=" + transport + " address=" + address
                            + " servers=" + gateway.configuration().servers().size()
                            + " config=" + (file == null ? "-" : file)
                            + " version=" + VersionCommand.ofFusebox()
                            + " pid=" + ProcessHandle.current().pid()
                            + (millis < 0 ? "" : " startMs=" + millis));
        }
    }

    private McpHttpFront listening(Configuration configuration, Gateway gateway, McpHttpFront.Beside beside)
            throws IOException {
        try {
            return McpHttpFront.open(platform, FrontSettings.of(configuration), gateway.service(), beside);
        } catch (IOException refused) {
            HttpConfig http = configuration.http();
            throw PortConflict.explained(platform, refused, new InetSocketAddress(http.host(), http.port()));
        }
    }
}
