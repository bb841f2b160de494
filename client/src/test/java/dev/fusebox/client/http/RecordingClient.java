package dev.fusebox.client.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.Call;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Connection;
import dev.fusebox.client.Deadline;
import dev.fusebox.client.MessageRecorder;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.ReplyHandler;
import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.Message;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/// Client of a server over HTTP that records all messages it receives.
final class RecordingClient extends MessageRecorder implements AutoCloseable {
    static final Duration LONG = Duration.ofSeconds(30);
    static final String STATELESS = "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
            + "\"io.modelcontextprotocol/clientCapabilities\":{}}";

    final Platform platform = Platform.system();
    final OutboundHttpClient outboundHttpClient;
    /// Whether requests of the server are accepted for an answer.
    volatile boolean answersQuestions;
    final Connection connection;

    RecordingClient(OutboundHttpClient outboundHttpClient, HttpTarget target) {
        this(outboundHttpClient, target, RequestAuthorizer.NONE);
    }

    RecordingClient(OutboundHttpClient outboundHttpClient, HttpTarget target, RequestAuthorizer requestAuthorizer) {
        this.outboundHttpClient = outboundHttpClient;
        this.connection = new StreamableHttpConnection(
                new RemoteServer(platform, outboundHttpClient, target, requestAuthorizer), this);
    }

    static RecordingClient at(URI uri) {
        return at(uri, OutboundSettings.defaults());
    }

    static RecordingClient at(URI uri, OutboundSettings settings) {
        return new RecordingClient(OutboundHttpClient.open(Platform.system(), settings), HttpTarget.of(uri));
    }

    Outcome call(String method, String params) {
        return call(method, params, LONG);
    }

    Outcome call(String method, String params, Duration limit) {
        return call(method, params, new Deadline(limit, LONG, platform.ticker()));
    }

    Outcome call(String method, String params, Deadline deadline) {
        return connection.call(new Call(request("\"mine\"", method, params), deadline, this));
    }

    /// The whole response.
    String answer(String method, String params) {
        return answered(call(method, params));
    }

    CallFailure failure(String method, String params) {
        return failed(call(method, params));
    }

    /// The handshake of a session.
    String initialize() {
        String welcome = answer("initialize", "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{}}");
        connection.sendOneWay("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}".getBytes(UTF_8));
        return welcome;
    }

    String next() throws InterruptedException {
        String line = received.poll(20, TimeUnit.SECONDS);
        assertThat(line).as("what was received within 20 s").isNotNull();
        return line == null ? "" : line;
    }

    @Override
    public boolean onRequest(ReplyHandler replyHandler, Message.Request question) {
        return super.onRequest(replyHandler, question) || answersQuestions;
    }

    @Override
    public void close() {
        connection.close();
        outboundHttpClient.close();
    }
}
