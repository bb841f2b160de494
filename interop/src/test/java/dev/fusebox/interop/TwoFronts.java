package dev.fusebox.interop;

import dev.fusebox.client.Connector;
import dev.fusebox.client.StdioConnector;
import dev.fusebox.client.http.OutboundHttpClient;
import dev.fusebox.client.http.OutboundSettings;
import dev.fusebox.client.http.SseConnector;
import dev.fusebox.client.http.StreamableHttpConnector;
import dev.fusebox.client.process.ChildProcesses;
import dev.fusebox.config.ConfigFile;
import dev.fusebox.config.Configuration;
import dev.fusebox.config.Overrides;
import dev.fusebox.config.ReadResult;
import dev.fusebox.config.ServerConfig;
import dev.fusebox.config.ServerEndpoint;
import dev.fusebox.config.ServerState.Ready;
import dev.fusebox.gateway.era.SingleServer;
import dev.fusebox.gateway.front.McpHttpFront;
import dev.fusebox.gateway.session.FrontTarget;
import dev.fusebox.gateway.session.SessionSettings;
import dev.fusebox.gateway.settings.Endpoints;
import dev.fusebox.gateway.settings.HostEnvironments;
import dev.fusebox.http.HttpSettings;
import dev.fusebox.platform.Platform;
import dev.fusebox.platform.SecretIds;
import dev.fusebox.platform.Signals;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/// Two gateways in one process: the arguments are two configuration files with one server each, and the first two
/// output lines are their addresses.
///
/// This is not the product. `fusebox serve` serves one server a process so far. Here one process has one
/// [Platform], one [ChildProcesses] and one [OutboundHttpClient], as a gateway for many servers will, but two
/// fronts on two ports in place of one; it shows that what is shared already does not let one server's trouble
/// reach the other's clients.
final class TwoFronts {
    private TwoFronts() {}

    public static void main(String[] arguments) throws Exception {
        Platform platform = Platform.system();
        try (ChildProcesses children = ChildProcesses.open(platform);
                OutboundHttpClient outboundHttpClient =
                        OutboundHttpClient.open(platform, OutboundSettings.defaults())) {
            CountDownLatch ended = new CountDownLatch(1);
            Signals.on("TERM", ended::countDown);
            for (int number = 1; number <= arguments.length; number++) {
                Configuration configuration = configuration(platform, Path.of(arguments[number - 1]));
                ServerConfig server = configuration.servers().getFirst();
                Connector connector = switch (endpoint(server)) {
                    case ServerEndpoint.Stdio stdio ->
                        new StdioConnector(
                                platform, server.id(), children, Endpoints.childSpec(stdio, configuration.limits()));
                    case ServerEndpoint.Http http ->
                        new StreamableHttpConnector(platform, outboundHttpClient, Endpoints.target(http.remote()));
                    case ServerEndpoint.Sse sse ->
                        new SseConnector(platform, outboundHttpClient, Endpoints.target(sse.remote()));
                    case ServerEndpoint.WebSocket _, ServerEndpoint.Tcp _, ServerEndpoint.Unix _ ->
                        throw new IllegalArgumentException(server.id() + " is neither a process nor over HTTP");
                };
                FrontTarget frontTarget = FrontTarget.of(SessionSettings.of(server.id()), connector);
                System.out.println("front " + number + " on " + address(platform, frontTarget));
            }
            ended.await();
        }
    }

    private static Configuration configuration(Platform platform, Path file) {
        ReadResult readResult = ConfigFile.read(HostEnvironments.of(platform), file, Overrides.NONE);
        if (!(readResult instanceof ReadResult.Usable(Configuration configuration, var warnings))) {
            throw new AssertionError(readResult.problems());
        }
        return configuration;
    }

    private static ServerEndpoint endpoint(ServerConfig server) {
        if (!(server.state() instanceof Ready(ServerEndpoint endpoint))) {
            throw new AssertionError(server.state());
        }
        return endpoint;
    }

    private static String address(Platform platform, FrontTarget frontTarget) throws IOException {
        McpHttpFront front = McpHttpFront.open(
                platform, HttpSettings.loopback(0), new SingleServer(frontTarget), SecretIds.system());
        return "http://127.0.0.1:" + front.port() + "/mcp";
    }
}
