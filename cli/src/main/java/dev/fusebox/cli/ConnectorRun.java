package dev.fusebox.cli;

import dev.fusebox.client.Promise;
import dev.fusebox.config.ReadResult;
import dev.fusebox.gateway.share.GatewayFinder;
import dev.fusebox.gateway.share.ShareAddress;
import dev.fusebox.gateway.share.ShareConnector;
import dev.fusebox.platform.Platform;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A run of `serve` for a client that shares its gateway with others: it only connects the client to the gateway.
/// For one thread; blocks until the client has left.
final class ConnectorRun {
    /// System property with the launcher's path, set by the launcher.
    static final String LAUNCHER = "fusebox.launcher";

    /// For the answers in flight when a signal ends the connector.
    private static final Duration LAST_ANSWERS = Duration.ofSeconds(15);

    private final Platform platform;
    private final ServeCommand.Stdio stdio;
    private final CommandOutput output;

    ConnectorRun(Platform platform, ServeCommand.Stdio stdio, CommandOutput output) {
        this.platform = platform;
        this.stdio = stdio;
        this.output = output;
    }

    /// Null if the client needs a gateway of its own.
    @Nullable
    ExitStatus run(ServeOptions options, ConfigPlace place) throws InterruptedException {
        try {
            ShareConnector connector = connected(options, place);
            return connector == null ? null : serve(connector);
        } catch (GatewayFinder.Unserved unserved) {
            // The gateway in this process refuses the configuration, too, and reports the reason.
            if (place.readWithoutSecrets(platform, options.overrides()) instanceof ReadResult.Usable) {
                note("not sharing a gateway: " + unserved.getMessage());
            }
        } catch (IOException unusable) {
            note("not sharing a gateway: " + unusable.getMessage());
        }
        return null;
    }

    private void note(String line) {
        output.err().println("fusebox: " + line);
        output.err().flush();
    }

    private @Nullable ShareConnector connected(ServeOptions options, ConfigPlace place)
            throws IOException, GatewayFinder.Unserved, InterruptedException {
        String launcher = System.getProperty(LAUNCHER);
        boolean isApproved = place.project() != null;
        Path file = place.file().toAbsolutePath();
        if (Files.notExists(file)) {
            // The gateway in this process reports that.
            return null;
        }
        ShareAddress address = ShareAddress.of(platform, file, isApproved);
        if (launcher == null && !Files.exists(address.socket())) {
            // It could not be started.
            return null;
        }
        List<String> command = new ArrayList<>();
        if (launcher != null) {
            command.addAll(List.of(launcher, "serve", "--config", file.toString()));
            command.addAll(List.of("--transport", isApproved ? "shared-project" : "shared"));
        }
        GatewayFinder finder = new GatewayFinder(
                platform,
                address,
                new GatewayFinder.Client(VersionCommand.ofFusebox(), options.expose(), options.profile(), command));
        ShareConnector connector =
                new ShareConnector(platform, new ShareConnector.Streams(stdio.in(), stdio.out(), this::note), finder);
        connector.connect();
        place.announce(output);
        output.err().flush();
        return connector;
    }

    private ExitStatus serve(ShareConnector connector) throws InterruptedException {
        Shutdown shutdown = new Shutdown(platform);
        Promise<ExitStatus> ended = new Promise<>();
        Thread.ofPlatform().daemon().name("fusebox-connector").start(() -> {
            try {
                ended.complete(connector.run() ? ExitStatus.DONE : ExitStatus.FAILED);
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            } finally {
                shutdown.begin(ExitStatus.DONE);
            }
        });
        shutdown.await();
        connector.end();
        ExitStatus status = ended.await(platform, LAST_ANSWERS);
        return status == ExitStatus.FAILED ? status : shutdown.exitStatus();
    }
}
