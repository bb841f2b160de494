package dev.fusebox.gateway.stateless;

import dev.fusebox.client.Call;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.ReconnectingConnection;
import java.time.Duration;

/// A target behind its lane. Thread-safe; [#call] blocks, as long as the caller has patience.
final class LanedTarget implements Target {
    private final Target target;
    private final Passage passage;

    LanedTarget(Target target, OneServer server) {
        this.target = target;
        this.passage = new Passage(server, target);
    }

    @Override
    public Outcome call(Call call, Metadata client) {
        return passage.call(call, attempt -> target.call(attempt, client));
    }

    @Override
    public ReconnectingConnection.Pulse pulse(long since, Duration limit) {
        return target.pulse(since, limit);
    }

    @Override
    public boolean heardSince(long then) {
        return target.heardSince(then);
    }

    @Override
    public void disconnect() {
        target.disconnect();
    }

    @Override
    public void close() {
        target.close();
    }
}
