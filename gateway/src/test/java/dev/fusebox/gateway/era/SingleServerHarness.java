package dev.fusebox.gateway.era;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.Connector;
import dev.fusebox.client.StdioConnector;
import dev.fusebox.client.http.HttpTarget;
import dev.fusebox.client.http.OutboundHttpClient;
import dev.fusebox.client.http.StreamableHttpConnector;
import dev.fusebox.client.process.ChildProcess;
import dev.fusebox.client.process.ChildProcesses;
import dev.fusebox.client.process.ChildSpec;
import dev.fusebox.fixtures.server.Era;
import dev.fusebox.fixtures.server.ScriptedFault;
import dev.fusebox.fixtures.server.ScriptedServer;
import dev.fusebox.fixtures.server.ServerScript;
import dev.fusebox.gateway.front.McpHttpFront;
import dev.fusebox.gateway.session.FrontTarget;
import dev.fusebox.gateway.session.SessionSettings;
import dev.fusebox.http.HttpSettings;
import dev.fusebox.platform.Platform;
import dev.fusebox.platform.SecretIds;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/// A gateway in this process before a real server process. Closing it checks that nothing of the servers is left.
public final class SingleServerHarness implements AutoCloseable {
    public static final Platform PLATFORM = Platform.system();
    public static final Duration SOON = Duration.ofSeconds(30);

    private final ChildProcesses children = ChildProcesses.open(PLATFORM);
    private final Front front;
    private final FrontTarget frontTarget;

    /// How clients come in.
    enum Front {
        HTTP,
        STDIO
    }

    private final AutoCloseable running;
    private final Wire first;
    private int port;

    private SingleServerHarness(Front front, ChildSpec spec, UnaryOperator<FrontTarget> shape) throws IOException {
        this(front, children -> new StdioConnector(PLATFORM, "server", children, spec), shape);
    }

    private SingleServerHarness(Front front, Function<ChildProcesses, Connector> way, UnaryOperator<FrontTarget> shape)
            throws IOException {
        this.front = front;
        this.frontTarget = shape.apply(FrontTarget.of(SessionSettings.of("server"), way.apply(children)));
        if (front == Front.HTTP) {
            McpHttpFront http = McpHttpFront.open(
                    PLATFORM, HttpSettings.loopback(0), new SingleServer(frontTarget), SecretIds.system());
            this.port = http.port();
            this.running = () -> http.close(Duration.ofSeconds(10));
            this.first = new HttpWire(port);
        } else {
            PipedClient client = PipedClient.before(new SingleServer(frontTarget));
            this.running = () -> client.front().close(Duration.ofSeconds(10));
            this.first = client.wire();
        }
    }

    public static SingleServerHarness of(Front front, ChildSpec spec, UnaryOperator<FrontTarget> shape) {
        try {
            return new SingleServerHarness(front, spec, shape);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Before a server over Streamable HTTP; what goes out to it is closed by whoever has opened it.
    public static SingleServerHarness remote(Front front, OutboundHttpClient outboundHttpClient, URI server) {
        try {
            StreamableHttpConnector connector =
                    new StreamableHttpConnector(PLATFORM, outboundHttpClient, HttpTarget.of(server));
            return new SingleServerHarness(front, children -> connector, frontTarget -> frontTarget);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static SingleServerHarness of(Front front, ServerScript script) {
        return of(front, server(script), frontTarget -> frontTarget);
    }

    /// Before a server of this era, with these faults, each as on a command line: `hang@3`.
    public static SingleServerHarness of(Front front, Era era, String... faults) {
        return of(front, script(era, faults));
    }

    public static ServerScript script(Era era, String... faults) {
        ServerScript script = ServerScript.faultless().withEra(era);
        for (String fault : faults) {
            script = script.with(ScriptedFault.parse(fault));
        }
        return script;
    }

    public static ServerScript noting(Path journal, Era era, String... faults) {
        return script(era, faults).withJournal(journal);
    }

    public static ChildSpec server(ServerScript script) {
        List<String> command = ScriptedServer.stdio(script);
        return ChildSpec.of(
                command.getFirst(), command.subList(1, command.size()).toArray(String[]::new));
    }

    /// With other times, so that a test need not wait for the usual ones.
    public static UnaryOperator<FrontTarget> within(Duration timeout, Duration clientWait) {
        SessionSettings settings =
                SessionSettings.of("server").withTimeout(timeout).withClientWait(clientWait);
        return frontTarget -> frontTarget.with(settings);
    }

    Front front() {
        return front;
    }

    /// The line that is there from the beginning.
    Wire wire() {
        return first;
    }

    /// Another client; only over HTTP.
    Wire another() {
        assertThat(front).isEqualTo(Front.HTTP);
        return new HttpWire(port);
    }

    List<Long> servers() {
        return children.live().stream().map(ChildProcess::pid).toList();
    }

    /// As when the gateway is told to end; clients stay until it has.
    void end() {
        try {
            running.close();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {
        end();
        first.close();
        children.close();
        eventually(
                "no child process is running", () -> assertThat(children.live()).isEmpty());
    }
}
