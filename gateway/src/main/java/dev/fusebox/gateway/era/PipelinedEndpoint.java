package dev.fusebox.gateway.era;

import dev.fusebox.client.Call;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.ReconnectingConnection;
import java.time.Duration;

/// A target behind its lane. Thread-safe; [#call] blocks, as long as the caller has patience.
final class PipelinedEndpoint implements UpstreamEndpoint {
    private final UpstreamEndpoint endpoint;
    private final PassThrough passThrough;

    PipelinedEndpoint(UpstreamEndpoint endpoint, SingleServer server) {
        this.endpoint = endpoint;
        this.passThrough = new PassThrough(server, endpoint);
    }

    @Override
    public Outcome call(Call call, ClientMetadata client) {
        return passThrough.call(call, attempt -> endpoint.call(attempt, client));
    }

    @Override
    public ReconnectingConnection.Pulse pulse(long since, Duration limit) {
        return endpoint.pulse(since, limit);
    }

    @Override
    public boolean heardSince(long then) {
        return endpoint.heardSince(then);
    }

    @Override
    public void disconnect() {
        endpoint.disconnect();
    }

    @Override
    public void close() {
        endpoint.close();
    }
}
