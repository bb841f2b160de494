package dev.fusebox.client.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.Call;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Connection;
import dev.fusebox.client.Connector;
import dev.fusebox.client.Deadline;
import dev.fusebox.client.Delivery;
import dev.fusebox.client.ErrorId;
import dev.fusebox.client.FailureCategory;
import dev.fusebox.client.MessageRecorder;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.http.HttpTarget;
import dev.fusebox.client.http.OutboundHttpClient;
import dev.fusebox.client.http.OutboundSettings;
import dev.fusebox.client.http.RequestAuthorizer;
import dev.fusebox.client.http.StreamOpener;
import dev.fusebox.client.stream.StreamLimits;
import dev.fusebox.client.stream.StreamServer;
import dev.fusebox.platform.Platform;
import dev.fusebox.testkit.ManualTime;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/// Client of one server over WebSocket that records what it receives.
final class WebSocketClient extends MessageRecorder implements AutoCloseable {
    /// Longer than any call of a test takes.
    private static final Duration LONG = Duration.ofSeconds(60);

    /// Longer than the time that a test moves by hand.
    private static final Duration ENDLESS = Duration.ofDays(1000);

    private final Platform platform;
    private final Duration limit;
    private final OutboundHttpClient outboundHttpClient;
    private final WebSocketConnector connector;

    WebSocketClient(URI uri) {
        this(Platform.system(), uri, StreamLimits.defaults(), LONG);
    }

    /// On a clock that is moved by hand.
    WebSocketClient(ManualTime time, URI uri, StreamLimits limits) {
        this(time.platform(), uri, limits, ENDLESS);
    }

    WebSocketClient(URI uri, StreamLimits limits) {
        this(Platform.system(), uri, limits, LONG);
    }

    private WebSocketClient(Platform platform, URI uri, StreamLimits limits, Duration limit) {
        this.platform = platform;
        this.limit = limit;
        this.outboundHttpClient = OutboundHttpClient.open(platform, OutboundSettings.defaults());
        HttpTarget target = HttpTarget.of(uri);
        this.connector = new WebSocketConnector(
                new StreamServer(platform, "test", target::secrets, limits),
                new StreamOpener(platform, outboundHttpClient, target, RequestAuthorizer.NONE));
    }

    Connector.Opened open() {
        return connector.open(this);
    }

    Connection connected() {
        return connected(open());
    }

    CallFailure refused() {
        return refused(open());
    }

    Outcome call(Connection connection) {
        return call(connection, "{\"name\":\"echo\",\"_meta\":{\"progressToken\":\"mine\"}}");
    }

    Outcome call(Connection connection, String params) {
        Deadline deadline = new Deadline(limit, limit, platform.ticker());
        return connection.call(new Call(request("\"mine\"", "tools/call", params), deadline, this));
    }

    CompletableFuture<Outcome> calling(Connection connection, String params) {
        CompletableFuture<Outcome> outcome = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> outcome.complete(call(connection, params)));
        return outcome;
    }

    /// The response of a call.
    String answer(Connection connection) {
        return answered(call(connection));
    }

    CallFailure failure(Connection connection) {
        return failed(call(connection));
    }

    /// The failure of the first call to a server whose first connection follows a script; the next call works.
    static CallFailure losesItsFirstCall(FrameServer.Script script) throws Exception {
        try (FrameServer server = FrameServer.firstThenGood(script);
                WebSocketClient client = new WebSocketClient(server.uri())) {
            CallFailure failure = client.failure(client.connected());
            assertThat(failure.id()).isEqualTo(ErrorId.CONNECTION_LOST);
            assertThat(failure.category()).isEqualTo(FailureCategory.OFFLINE);
            assertThat(failure.delivery()).isEqualTo(Delivery.UNKNOWN);
            assertThat(client.answer(client.connected())).contains("content");
            return failure;
        }
    }

    @Override
    public void close() {
        outboundHttpClient.close();
    }
}
