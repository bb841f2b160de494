package dev.fusebox.client.websocket;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.Call;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Caller;
import dev.fusebox.client.Connection;
import dev.fusebox.client.Connector;
import dev.fusebox.client.Deadline;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.ReplyHandler;
import dev.fusebox.client.ServerMessageHandler;
import dev.fusebox.client.http.HttpTarget;
import dev.fusebox.client.http.OutboundHttpClient;
import dev.fusebox.client.http.OutboundSettings;
import dev.fusebox.client.http.RequestAuthorizer;
import dev.fusebox.client.http.StreamOpener;
import dev.fusebox.client.stream.StreamLimits;
import dev.fusebox.client.stream.StreamServer;
import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.Message;
import dev.fusebox.testkit.ManualTime;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;

/// Client of one server over WebSocket that records what it receives.
final class WebSocketClient implements AutoCloseable, ServerMessageHandler, Caller {
    /// Longer than any call of a test takes.
    private static final Duration LONG = Duration.ofSeconds(60);

    /// Longer than the time that a test moves by hand.
    private static final Duration ENDLESS = Duration.ofDays(1000);

    final BlockingQueue<String> received = new LinkedBlockingQueue<>();
    final List<CallFailure> losses = new CopyOnWriteArrayList<>();
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
        Connector.Opened opened = open();
        assertThat(opened).isInstanceOf(Connector.Opened.Connected.class);
        return ((Connector.Opened.Connected) opened).connection();
    }

    CallFailure refused() {
        Connector.Opened opened = open();
        assertThat(opened).isInstanceOf(Connector.Opened.Refused.class);
        return ((Connector.Opened.Refused) opened).failure();
    }

    Outcome call(Connection connection) {
        return call(connection, "{\"name\":\"echo\",\"_meta\":{\"progressToken\":\"mine\"}}");
    }

    Outcome call(Connection connection, String params) {
        byte[] frame = ("{\"jsonrpc\":\"2.0\",\"id\":\"mine\",\"method\":\"tools/call\",\"params\":" + params + "}")
                .getBytes(UTF_8);
        Deadline deadline = new Deadline(limit, limit, platform.ticker());
        return connection.call(new Call(Message.Request.of(frame), deadline, this));
    }

    CompletableFuture<Outcome> calling(Connection connection, String params) {
        CompletableFuture<Outcome> outcome = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> outcome.complete(call(connection, params)));
        return outcome;
    }

    /// The response of a call.
    String answer(Connection connection) {
        Outcome outcome = call(connection);
        assertThat(outcome).isInstanceOf(Outcome.Answered.class);
        return ((Outcome.Answered) outcome).answer().frame().json();
    }

    CallFailure failure(Connection connection) {
        return failure(call(connection));
    }

    static CallFailure failure(Outcome outcome) {
        assertThat(outcome).isInstanceOf(Outcome.Failed.class);
        return ((Outcome.Failed) outcome).failure();
    }

    @Override
    public void progress(byte[] frame) {
        received.add("progress " + new String(frame, UTF_8));
    }

    @Override
    public void onNotification(Message.Notification notification) {
        received.add("told " + notification.frame().json());
    }

    @Override
    public boolean onRequest(ReplyHandler replyHandler, Message.Request question) {
        received.add("asked " + question.frame().json());
        return false;
    }

    @Override
    public void lost(Connection connection, CallFailure failure) {
        losses.add(failure);
    }

    @Override
    public void close() {
        outboundHttpClient.close();
    }
}
