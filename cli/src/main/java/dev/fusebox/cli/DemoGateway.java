package dev.fusebox.cli;

import dev.fusebox.config.ConfigFile;
import dev.fusebox.config.ReadResult;
import dev.fusebox.demo.DemoHost;
import dev.fusebox.demo.DemoNarrator;
import dev.fusebox.demo.DemoServers;
import dev.fusebox.gateway.CoreOptions;
import dev.fusebox.gateway.GatewayCore;
import dev.fusebox.gateway.GatewayException;
import dev.fusebox.gateway.ServeMode;
import dev.fusebox.gateway.front.McpHttpFront;
import dev.fusebox.gateway.settings.HostEnvironments;
import dev.fusebox.http.HttpSettings;
import dev.fusebox.platform.Platform;
import dev.fusebox.platform.SecretIds;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/// The gateway of the demo: listens over HTTP in front of the [DemoServers]. For one thread; [#close] blocks for
/// up to a second and until the servers have ended.
final class DemoGateway implements DemoHost {
    private static final Duration DRAIN = Duration.ofSeconds(1);

    private final Platform platform;
    private final CommandOutput output;
    private final GatewayCore gateway;
    private final McpHttpFront front;
    private final Path callCount;

    private DemoGateway(Opening opening, GatewayCore gateway, McpHttpFront front) {
        this.platform = opening.platform();
        this.output = opening.output();
        this.gateway = gateway;
        this.front = front;
        this.callCount = opening.callCount();
    }

    /// What a gateway is opened with.
    ///
    /// @param port the port to listen on; if it is in use the gateway listens on a free one
    /// @param callCount an empty file, which is deleted with the gateway, or if there is none
    record Opening(Platform platform, CommandOutput output, int port, Path callCount) {
        static Opening of(Platform platform, CommandOutput output, int port) throws IOException {
            return new Opening(platform, output, port, Files.createTempFile("fusebox-demo", ".count"));
        }
    }

    static DemoGateway open(Opening opening, DemoNarrator narrator) throws IOException {
        try {
            return opened(opening, narrator);
        } catch (IOException | RuntimeException failed) {
            delete(opening.callCount());
            throw failed;
        }
    }

    private static DemoGateway opened(Opening opening, DemoNarrator narrator) throws IOException {
        byte[] config = DemoServers.configuration(opening.callCount()).getBytes(StandardCharsets.UTF_8);
        Platform platform = opening.platform();
        try {
            if (!(ConfigFile.read(HostEnvironments.of(platform), Path.of("demo.json"), config)
                    instanceof ReadResult.Usable usable)) {
                throw new IOException("the configuration of the demo is invalid");
            }
            GatewayCore gateway = GatewayCore.open(
                    platform,
                    usable.configuration(),
                    CoreOptions.of(ServeMode.TO_MANY).with(WorkerLauncher::program));
            try {
                return new DemoGateway(opening, gateway, listen(opening, narrator, gateway));
            } catch (IOException | RuntimeException notListening) {
                gateway.close();
                throw notListening;
            }
        } catch (GatewayException problem) {
            throw new IOException(problem.getMessage(), problem);
        }
    }

    private static McpHttpFront listen(Opening opening, DemoNarrator narrator, GatewayCore gateway) throws IOException {
        int port = opening.port();
        try {
            return listen(opening.platform(), gateway, port);
        } catch (IOException failed) {
            if (!(failed.getCause() instanceof BindException)) {
                throw failed;
            }
            InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
            String owner = PortConflict.owner(opening.platform(), address).orElse("another program");
            narrator.words("Port " + port + " is in use by " + owner + "; the demo listens on a free port instead.");
            return listen(opening.platform(), gateway, 0);
        }
    }

    private static McpHttpFront listen(Platform platform, GatewayCore gateway, int port) throws IOException {
        McpHttpFront.Collaborators collaborators = new McpHttpFront.Collaborators(
                SecretIds.system(), gateway.adminApi().forAll(() -> null));
        return McpHttpFront.open(platform, HttpSettings.loopback(port), gateway.service(), collaborators);
    }

    GatewayCore gateway() {
        return gateway;
    }

    @Override
    public String address() {
        return "http://127.0.0.1:" + front.port() + "/mcp";
    }

    @Override
    public Client connect() throws IOException {
        return new LocalClient(platform, front.port());
    }

    @Override
    public Waiting waiting(String purpose) {
        return Progress.of(platform, output, purpose)::close;
    }

    void close() throws InterruptedException {
        try {
            front.close(DRAIN);
        } finally {
            gateway.close();
            delete(callCount);
        }
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException stays) {
            // A few bytes in the folder for temporary files.
            return;
        }
    }
}
