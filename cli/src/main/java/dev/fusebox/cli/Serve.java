package dev.fusebox.cli;

import dev.fusebox.client.process.OrphanedProcesses;
import dev.fusebox.gateway.cache.SchemaCache;
import dev.fusebox.gateway.config.Configuration;
import dev.fusebox.gateway.config.HttpConfig;
import dev.fusebox.gateway.config.ReadResult;
import dev.fusebox.gateway.config.SelfReference;
import dev.fusebox.gateway.front.McpHttpFront;
import dev.fusebox.gateway.front.StdioFrontEnd;
import dev.fusebox.gateway.observe.LogBuffer;
import dev.fusebox.gateway.reload.ConfigReload;
import dev.fusebox.gateway.reload.ConfigWatcher;
import dev.fusebox.platform.FuseboxCommand;
import dev.fusebox.platform.LazyLoggers;
import dev.fusebox.platform.Platform;
import dev.fusebox.platform.SecretIds;
import dev.fusebox.platform.Signals;
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

/// Runs the gateway until its client leaves or a signal comes.
final class Serve {
    private static final System.Logger LOG = LazyLoggers.of(Serve.class);

    private final Platform platform;
    private final Stdio stdio;
    private final Consumer<Shutdown> running;

    Serve(Platform platform) {
        this(
                platform,
                new Stdio(new FileInputStream(FileDescriptor.in), new FileOutputStream(FileDescriptor.out)),
                shutdown -> {});
    }

    /// @param stdio where the client of the stdio transport reads and writes
    /// @param running is given what ends the gateway, before it serves
    Serve(Platform platform, Stdio stdio, Consumer<Shutdown> running) {
        this.platform = platform;
        this.stdio = stdio;
        this.running = running;
    }

    /// The two streams of the stdio transport.
    record Stdio(InputStream in, OutputStream out) {}

    Exit run(List<String> arguments, Screen screen) {
        InspectionDenial denial = InspectionDenial.begin(platform);
        try {
            ServeOptions options = ServeOptions.parse(arguments);
            ConfigPlace place = ConfigPlace.find(options.config(), platform).told(screen);
            if (place.isNamed()) {
                screen.err()
                        .println("fusebox: using "
                                + ServerTable.plain(place.file().toString()));
            }
            FuseboxCommand.serves(place.file());
            refuseItself(place.file());
            ConfigReload.Source source = place.followed(platform, options.overrides());
            ReadResult readResult = place.read(platform, options.overrides());
            readResult.lines().forEach(line -> screen.err().println("fusebox: " + line));
            return readResult instanceof ReadResult.Usable usable
                    ? serve(new Asked(options, source, denial), usable, screen)
                    : Exit.USAGE;
        } catch (ServeOptions.Problem problem) {
            screen.err().println("fusebox: " + problem.getMessage());
            return Exit.USAGE;
        } catch (IOException refused) {
            screen.err().println("fusebox: " + refused.getMessage());
            return Exit.FAILED;
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return Exit.FAILED;
        }
    }

    /// A server may start a gateway in ways that its command line does not show.
    private void refuseItself(Path file) throws ServeOptions.Problem {
        if (SelfReference.isServedAbove(platform, file)) {
            throw new ServeOptions.Problem("not serving " + file + ", because a gateway that serves this file has"
                    + " started this one (" + SelfReference.SERVED + " says so), and each would start the next without"
                    + " end; take the server that starts Fusebox out of the file");
        }
    }

    /// What was asked for, and where it is configured.
    private record Asked(ServeOptions options, ConfigReload.Source source, InspectionDenial denial) {}

    private Exit serve(Asked asked, ReadResult.Usable read, Screen screen)
            throws ServeOptions.Problem, IOException, InterruptedException {
        Configuration configuration = read.configuration();
        OwnLog.hide(configuration.secrets());
        try (Scribe _ = OwnLog.relay(platform, new FileOutputStream(FileDescriptor.err))) {
            OwnLog.from(configuration.gateway().logLevel());
            OwnLog.sayOnce(platform.ticker());
            return serveLogged(asked, read, screen);
        }
    }

    private Exit serveLogged(Asked asked, ReadResult.Usable read, Screen screen)
            throws ServeOptions.Problem, IOException, InterruptedException {
        ServeOptions options = asked.options();
        ConfigReload.Source source = asked.source();
        Configuration configuration = read.configuration();
        try (SchemaCache cache = cache(source);
                Backend backend = Backend.open(
                        SelfReference.below(platform, source.file()),
                        configuration,
                        options.manner(),
                        Remembered.in(cache));
                Kept _ = Kept.of(platform, backend.logBuffer(), backend::hide);
                OwnLog.Copy _ =
                        OwnLog.copyTo(line -> backend.logBuffer().write(LogBuffer.OWN, line), platform.ticker());
                ConfigWatcher watch = watch(source, read, backend)) {
            backend.tellPlace(source.file());
            VirtualThreadStarter.start("fusebox-castaways", this::endCastaways, () -> {});
            // A project's file runs only as it was allowed, so nothing is added to it.
            if (source.approval() == null) {
                backend.growInto(source.file(), watch::readNow);
            }
            Shutdown shutdown = new Shutdown(platform, backend.children(), watch::close);
            reloadOnHangup(watch);
            asked.denial().await();
            running.accept(shutdown);
            if (options.overHttp()) {
                serveHttp(configuration, backend, shutdown, screen);
            } else {
                serveStdio(backend, shutdown);
            }
            return shutdown.exit();
        }
    }

    /// A terminal that is closed sends SIGHUP, too: it ends nothing, and certainly not without cleaning up.
    private static void reloadOnHangup(ConfigWatcher watch) {
        if (Signals.on("HUP", watch::readNow) == Signals.Handling.IGNORED) {
            LOG.log(
                    Level.INFO,
                    "reload by SIGHUP is not available: the signal was ignored when the gateway started (nohup does"
                            + " that); changes of the configuration file are still applied");
        }
    }

    /// Servers of a gateway that was killed together with its janitor.
    private void endCastaways() {
        try {
            int ended = OrphanedProcesses.endLeft(platform);
            if (ended > 0) {
                LOG.log(
                        Level.WARNING,
                        "ended " + ended + (ended == 1 ? " process" : " processes") + " of gateways that are gone");
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException unlisted) {
            LOG.log(Level.WARNING, "whether a gateway that is gone has left servers behind is not known: " + unlisted);
        }
    }

    /// Null if there is no place for it; the gateway serves all the same.
    private @Nullable SchemaCache cache(ConfigReload.Source source) {
        try {
            return Cache.of(platform, source.file());
        } catch (IOException nowhere) {
            LOG.log(Level.WARNING, "what servers offer is not kept for the next start: " + nowhere.getMessage());
            return null;
        }
    }

    private ConfigWatcher watch(ConfigReload.Source source, ReadResult.Usable read, Backend backend) {
        ConfigReload.Running running = (next, difference) -> {
            OwnLog.hide(next.secrets());
            Optional<String> objection = backend.become(next, difference);
            if (objection.isEmpty()) {
                OwnLog.from(next.gateway().logLevel());
            }
            return objection;
        };
        ConfigReload configReload = new ConfigReload(source, read.configuration(), running, backend::tell);
        return ConfigWatcher.begin(platform, configReload.after(read.warnings()));
    }

    /// Whatever prints where protocol is spoken prints where people read.
    private void serveStdio(Backend backend, Shutdown shutdown) throws InterruptedException {
        System.setOut(System.err);
        StdioFrontEnd.Streams streams = new StdioFrontEnd.Streams(
                stdio.in(), stdio.out(), backend.configuration().limits().clientWrite());
        StdioFrontEnd front = new StdioFrontEnd(platform, backend.service(), SecretIds.system(), streams);
        front.start(() -> shutdown.begin(Exit.DONE));
        try (Desk desk = Desk.open(platform, backend.adminApi(), backend.service())) {
            started("stdio", "-", backend);
            shutdown.await();
            desk.drain();
            front.close(backend.configuration().pool().drain(), desk::inFlight);
        }
    }

    private void serveHttp(Configuration configuration, Backend backend, Shutdown shutdown, Screen screen)
            throws IOException, InterruptedException {
        try (Desk desk = Desk.open(platform, backend.adminApi(), backend.service())) {
            McpHttpFront.Beside beside = new McpHttpFront.Beside(SecretIds.system(), desk.forAll());
            McpHttpFront front = listening(configuration, backend, beside);
            InetAddress address = configuration.http().host();
            String host =
                    address instanceof Inet6Address ? "[" + address.getHostAddress() + "]" : address.getHostAddress();
            String url = "http://" + host + ":" + front.port() + "/mcp";
            screen.err().println("fusebox: serving on " + url);
            screen.err().flush();
            started("http", url, backend);
            shutdown.await();
            desk.drain();
            front.close(backend.configuration().pool().drain(), desk::inFlight);
        }
    }

    /// The only line of a start at which nothing went wrong.
    private void started(String transport, String address, Backend backend) {
        if (LOG.isLoggable(Level.INFO)) {
            long millis = SinceStart.millis();
            Path file = backend.place();
            LOG.log(
                    Level.INFO,
                    "gateway started: transport=" + transport + " address=" + address
                            + " servers=" + backend.configuration().servers().size()
                            + " config=" + (file == null ? "-" : file)
                            + " version=" + Version.ofFusebox()
                            + " pid=" + ProcessHandle.current().pid()
                            + (millis < 0 ? "" : " startMs=" + millis));
        }
    }

    private McpHttpFront listening(Configuration configuration, Backend backend, McpHttpFront.Beside beside)
            throws IOException {
        try {
            return McpHttpFront.open(platform, configuration.httpSettings(), backend.service(), beside);
        } catch (IOException refused) {
            HttpConfig http = configuration.http();
            throw PortConflict.explained(platform, refused, new InetSocketAddress(http.host(), http.port()));
        }
    }
}
