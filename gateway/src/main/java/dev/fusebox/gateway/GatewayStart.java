package dev.fusebox.gateway;

import dev.fusebox.client.redaction.Redactor;
import dev.fusebox.config.Configuration;
import dev.fusebox.config.SelfReference;
import dev.fusebox.gateway.admin.ClientToken;
import dev.fusebox.gateway.admin.RunFolder;
import dev.fusebox.gateway.admin.ServedClients;
import dev.fusebox.gateway.cache.SchemaCache;
import dev.fusebox.gateway.front.McpHttpFront;
import dev.fusebox.gateway.front.StdioFrontEnd;
import dev.fusebox.gateway.observe.LogBuffer;
import dev.fusebox.gateway.reload.ConfigReload;
import dev.fusebox.gateway.reload.ConfigWatcher;
import dev.fusebox.gateway.settings.Endpoints;
import dev.fusebox.gateway.settings.FrontSettings;
import dev.fusebox.gateway.share.ShareAddress;
import dev.fusebox.gateway.share.ShareServer;
import dev.fusebox.http.BearerToken;
import dev.fusebox.http.HttpHandler;
import dev.fusebox.platform.LazyLoggers;
import dev.fusebox.platform.Platform;
import dev.fusebox.platform.SecretIds;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The start of a [Gateway], step by step; a failed start closes what it has opened. [#run] is called once; the
/// steps that close the gateway run later, on another thread, after the gateway was published.
final class GatewayStart {
    private static final System.Logger LOG = LazyLoggers.of(GatewayStart.class);

    private final GatewayConfig config;
    private final GatewayOptions options;
    private final CloseSteps owned = new CloseSteps();

    /// Null if it is not used, and until it is open.
    private @Nullable AdminSocket adminSocket;

    GatewayStart(GatewayConfig config, GatewayOptions options) {
        this.config = config;
        this.options = options;
    }

    Gateway.Parts run() throws GatewayException, IOException {
        boolean isStarted = false;
        try {
            Gateway.Parts parts = parts();
            isStarted = true;
            return parts;
        } finally {
            if (!isStarted) {
                owned.close();
            }
        }
    }

    private Gateway.Parts parts() throws GatewayException, IOException {
        ConfigReload.Source source = config.source();
        if (source != null) {
            refuseItself(source.file());
        }
        Redactor configured = Endpoints.secrets(config.configuration());
        options.log().hide(() -> configured);
        options.log().level(config.configuration().gateway().logLevel());
        GatewayCore core = core(source);
        options.log().hide(core::redactor);
        if (options.usesHome()) {
            copyLog(core);
        }
        ConfigWatcher watcher = source == null ? null : watcher(source, core);
        options.beforeServing().run();
        URI address = serve(core);
        if (watcher != null) {
            // Added once more, to be closed first: a gateway that is closing applies no change.
            owned.add(watcher);
        }
        return new Gateway.Parts(owned, core, watcher, address);
    }

    /// Detects by environment variable that a server of this file has started this gateway, which its command line
    /// need not show.
    private void refuseItself(Path file) throws GatewayException {
        if (SelfReference.isServedAbove(options.platform().environment(), file)) {
            throw new GatewayException(
                    "not serving " + file + ", because this gateway was started by a gateway that serves"
                            + " the same file (see " + SelfReference.SERVED + "), which would cause endless recursion;"
                            + " remove the server that starts Fusebox from the file");
        }
    }

    // ---- Servers

    private GatewayCore core(ConfigReload.@Nullable Source source) throws GatewayException {
        Platform platform = options.platform();
        SchemaCache cache = source == null || !options.usesHome() ? null : cache(source.file());
        Platform marked = source == null
                ? platform
                : platform.withEnvironment(SelfReference.below(platform.environment(), source.file()));
        CoreOptions core = options.core(persistentState(cache));
        if (source != null && options.transport().shared() != null) {
            core = core.at(ClientWorkspaces.here(platform, source, folder()));
        }
        return owned.add(GatewayCore.open(marked, config.configuration(), core));
    }

    private static String folder() {
        return Path.of("").toAbsolutePath().toString();
    }

    private PersistentState persistentState(@Nullable SchemaCache cache) {
        return PersistentState.in(cache)
                .withLogins(options.usesHome() ? GatewayHome.loginFolder(options.platform()) : null)
                .withTaskKey(options.usesHome() ? GatewayHome.taskKey(options.platform()) : null);
    }

    /// Null if there is no place for it; the gateway works without one.
    private @Nullable SchemaCache cache(Path file) {
        try {
            return owned.add(GatewayHome.schemaCache(options.platform(), file));
        } catch (IOException nowhere) {
            LOG.log(Level.WARNING, "cannot open the schema cache: " + nowhere.getMessage());
            return null;
        }
    }

    private void copyLog(GatewayCore core) {
        owned.add(LogCopier.of(
                options.platform(), core.logBuffer(), text -> core.redactor().hide(text)));
        owned.add(options.log().copyTo(line -> core.logBuffer().write(LogBuffer.OWN, line)));
    }

    private ConfigWatcher watcher(ConfigReload.Source source, GatewayCore core) {
        ProgramLog log = options.log();
        ConfigReload.Running running = (next, difference) -> {
            Optional<String> objection = core.apply(next, difference);
            if (objection.isEmpty()) {
                log.level(next.gateway().logLevel());
            }
            return objection;
        };
        ConfigReload reload = new ConfigReload(source, config.configuration(), running, core::publish);
        ConfigWatcher watcher = owned.add(ConfigWatcher.begin(options.platform(), reload.after(config.warnings())));
        core.setSource(source.file());
        // Nothing is added to a project file, which runs only with its approved content.
        if (source.approval() == null) {
            core.enableAdditions(source.file(), watcher::readNow);
        }
        return watcher;
    }

    // ---- Front ends

    private @Nullable URI serve(GatewayCore core) throws IOException {
        owned.addStep(this::closeAdminSocket);
        URI address = switch (options.transport()) {
            case Transport.Http http -> serveHttp(core, http);
            case Transport.Stdio stdio -> serveStdio(core, stdio);
            case Transport.Shared shared -> serveShared(core, shared);
        };
        owned.addStep(this::drainAdminSocket);
        return address;
    }

    private URI serveHttp(GatewayCore core, Transport.Http transport) throws IOException {
        openAdminSocket(core);
        HttpHandler admin = adminSocket == null ? core.adminApi().forAll(() -> null) : adminSocket.forAll();
        Configuration configuration = config.configuration();
        McpHttpFront front = McpHttpFront.open(
                options.platform(),
                FrontSettings.of(configuration),
                core.service(),
                new McpHttpFront.Collaborators(
                        SecretIds.system(),
                        core.profiles(config.source()),
                        configuration.http().needsToken() ? clientToken() : null,
                        core.logins().pages().before(admin)));
        // After the port: a gateway that cannot have it must not take the place of the one that has.
        ShareServer connectors = openConnectors(core, transport.shared());
        core.adminApi().serving(ServedClients.overHttp(connectors));
        owned.addStep(() -> front.close(core.configuration().pool().drain(), () -> adminCalls() + calls(connectors)));
        if (connectors != null) {
            owned.addStep(connectors::refuse);
        }
        InetAddress host = configuration.http().host();
        core.logins().pages().servedAt(host, front.port());
        String name = host instanceof Inet6Address ? "[" + host.getHostAddress() + "]" : host.getHostAddress();
        return URI.create("http://" + name + ":" + front.port() + "/mcp");
    }

    /// A gateway that cannot know its token does not start.
    private BearerToken clientToken() throws IOException {
        return new BearerToken(ClientToken.of(RunFolder.of(options.platform()).made(), SecretIds.system()));
    }

    /// The admin socket is opened while the client is served already.
    private @Nullable URI serveStdio(GatewayCore core, Transport.Stdio stdio) {
        StdioFrontEnd.Streams streams = new StdioFrontEnd.Streams(
                stdio.in(), stdio.out(), config.configuration().limits().clientWrite());
        StdioFrontEnd front = new StdioFrontEnd(options.platform(), core.service(), SecretIds.system(), streams);
        owned.addStep(() -> front.close(core.configuration().pool().drain(), this::adminCalls));
        front.start(stdio.onDisconnect());
        core.adminApi().serving(ServedClients.STDIO);
        openAdminSocket(core);
        return null;
    }

    /// A gateway over HTTP serves without connectors, too. Null if there are none.
    private @Nullable ShareServer openConnectors(GatewayCore core, @Nullable ShareAddress address) {
        if (address == null) {
            return null;
        }
        try {
            ShareServer connectors = openShareServer(core, new Transport.Shared(address, () -> {}));
            owned.addStep(() -> connectors.close(Duration.ZERO, () -> 0, () -> {}));
            return connectors;
        } catch (IOException unusable) {
            LOG.log(Level.WARNING, "clients over standard input cannot share this gateway: " + unusable.getMessage());
            return null;
        }
    }

    private static int calls(@Nullable ShareServer connectors) {
        return connectors == null ? 0 : connectors.inFlight();
    }

    private @Nullable URI serveShared(GatewayCore core, Transport.Shared shared) throws IOException {
        openAdminSocket(core);
        ShareServer server = openShareServer(core, shared);
        core.adminApi().serving(ServedClients.shared(server));
        owned.addStep(() -> server.close(
                core.configuration().pool().drain(),
                this::adminCalls,
                () -> core.service().close()));
        return null;
    }

    private ShareServer openShareServer(GatewayCore core, Transport.Shared shared) throws IOException {
        Configuration configuration = config.configuration();
        ConfigReload.Source source = config.source();
        if (source == null) {
            throw new IllegalStateException("a shared gateway has a configuration file");
        }
        return ShareServer.open(
                options.platform(),
                shared.address(),
                new ShareServer.Options(
                        core.share(source),
                        options.version(),
                        new ShareServer.Limits(
                                () -> core.configuration().share().idle(),
                                configuration.pool().drain(),
                                configuration.limits().clientWrite()),
                        shared.onIdle()));
    }

    // ---- Admin socket

    private void openAdminSocket(GatewayCore core) {
        if (options.usesHome()) {
            adminSocket = AdminSocket.open(options.platform(), core);
        }
    }

    private int adminCalls() {
        return adminSocket == null ? 0 : adminSocket.inFlight();
    }

    private void drainAdminSocket() {
        if (adminSocket != null) {
            adminSocket.drain();
        }
    }

    private void closeAdminSocket() {
        if (adminSocket != null) {
            adminSocket.close();
        }
    }
}
