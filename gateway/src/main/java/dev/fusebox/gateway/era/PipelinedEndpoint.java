package dev.fusebox.gateway.era;

import dev.fusebox.client.Call;
import dev.fusebox.client.HealthCheckResult;
import dev.fusebox.client.Outcome;
import dev.fusebox.gateway.session.ResultFormat;
import java.time.Duration;

/// An endpoint behind its call pipeline. Thread-safe; [#call] blocks at most until the deadline of the call.
final class PipelinedEndpoint implements UpstreamEndpoint {
    private final UpstreamEndpoint endpoint;
    private final PassThrough passThrough;

    PipelinedEndpoint(UpstreamEndpoint endpoint, SingleServer server) {
        this.endpoint = endpoint;
        this.passThrough = new PassThrough(server, endpoint, () -> ResultFormat.STATELESS);
    }

    @Override
    public Outcome call(Call call) {
        return passThrough.call(call, endpoint);
    }

    @Override
    public HealthCheckResult checkHealth(long since, Duration limit) {
        return endpoint.checkHealth(since, limit);
    }

    @Override
    public boolean hasReceivedSince(long then) {
        return endpoint.hasReceivedSince(then);
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
