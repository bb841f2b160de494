package dev.fusebox.gateway.front;

import static dev.fusebox.gateway.front.Machine.PLATFORM;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.Connector;
import dev.fusebox.client.StdioConnector;
import dev.fusebox.client.process.ChildProcess;
import dev.fusebox.client.process.ChildProcesses;
import dev.fusebox.client.process.ChildSpec;
import dev.fusebox.config.SessionBounds;
import dev.fusebox.gateway.era.SingleServer;
import dev.fusebox.gateway.session.FrontTarget;
import dev.fusebox.gateway.session.SessionSettings;
import dev.fusebox.http.HttpSettings;
import dev.fusebox.http.HttpTimes;
import dev.fusebox.platform.SecretIds;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/// A gateway over HTTP in this process, usually with a real server process for each session. [#close] checks that
/// nothing of the servers is left.
final class WebGateway implements AutoCloseable {
    private final ChildProcesses children = ChildProcesses.open(PLATFORM);
    private final McpHttpFront http;

    private WebGateway(
            HttpSettings web,
            SessionSettings settings,
            SessionBounds bounds,
            Function<ChildProcesses, Connector> server)
            throws IOException {
        var frontTarget = FrontTarget.of(settings, server.apply(children)).withBounds(bounds);
        http = McpHttpFront.open(PLATFORM, web, new SingleServer(frontTarget), SecretIds.system());
    }

    static WebGateway of(ChildSpec spec) {
        return of(SessionSettings.of("server"), SessionBounds.USUAL, spec);
    }

    static WebGateway of(SessionSettings settings, SessionBounds bounds, ChildSpec spec) {
        return of(HttpSettings.loopback(0), settings, bounds, spec);
    }

    /// With other timeouts for its clients.
    static WebGateway of(HttpTimes times, ChildSpec spec) {
        HttpSettings web = HttpSettings.loopback(0).withTimes(times);
        return of(web, SessionSettings.of("server"), SessionBounds.USUAL, spec);
    }

    /// Also allows web pages of this origin.
    static WebGateway of(String origin, ChildSpec spec) {
        HttpSettings web = HttpSettings.loopback(0).withAllowedOrigins(Set.of(origin));
        return of(web, SessionSettings.of("server"), SessionBounds.USUAL, spec);
    }

    private static WebGateway of(HttpSettings web, SessionSettings settings, SessionBounds bounds, ChildSpec spec) {
        try {
            return new WebGateway(
                    web, settings, bounds, children -> new StdioConnector(PLATFORM, settings.server(), children, spec));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// In front of a server that is reached in another way.
    static WebGateway before(Connector connector) {
        try {
            return new WebGateway(
                    HttpSettings.loopback(0), SessionSettings.of("server"), SessionBounds.USUAL, children -> connector);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// A connection without a session.
    WebClient connect() throws IOException {
        return new WebClient(http.port());
    }

    int port() {
        return http.port();
    }

    int sessions() {
        return http.sessions();
    }

    List<Long> servers() {
        return children.live().stream().map(ChildProcess::pid).toList();
    }

    /// Shuts down in an orderly way.
    void drain(Duration limit) {
        try {
            http.close(limit);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {
        List<Long> servers = servers();
        drain(Duration.ofMillis(1));
        children.close();
        Machine.assertGone(servers);
        assertThat(children.live()).isEmpty();
    }
}
