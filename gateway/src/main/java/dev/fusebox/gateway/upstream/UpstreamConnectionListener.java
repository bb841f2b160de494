package dev.fusebox.gateway.upstream;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Connection;
import dev.fusebox.client.ConnectionListener;
import dev.fusebox.client.FailureCategory;
import dev.fusebox.client.resilience.CallPipeline;
import dev.fusebox.gateway.lifecycle.ServerLifecycle;
import dev.fusebox.platform.LazyLoggers;
import dev.fusebox.platform.Platform;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The listener of a server's connections: it forwards events to the current pipeline, to the lifecycle, and to
/// the log, with identical lines at most once a minute. Thread-safe; nothing blocks.
final class UpstreamConnectionListener implements ConnectionListener {
    private static final System.Logger LOG = LazyLoggers.of(UpstreamConnectionListener.class);
    private static final Duration AGAIN = Duration.ofMinutes(1);

    private final Platform platform;
    private final Supplier<CallPipeline> pipeline;
    private final ServerLifecycle lifecycle;
    private final Callbacks callbacks;
    private String said = "";
    private long saidAt;

    /// Callbacks to the rest of the server, which must not block.
    ///
    /// @param onConnected is run with each new connection
    /// @param onLost is run with each connection that has ended
    /// @param causes the session to which a crash of a connection's process is attributed; null for none
    record Callbacks(
            Runnable onConnected,
            BiConsumer<Connection, CallFailure> onLost,
            Function<Connection, @Nullable Object> causes) {}

    UpstreamConnectionListener(
            Platform platform, Supplier<CallPipeline> pipeline, ServerLifecycle lifecycle, Callbacks callbacks) {
        this.platform = platform;
        this.pipeline = pipeline;
        this.lifecycle = lifecycle;
        this.callbacks = callbacks;
    }

    @Override
    public void connecting() {
        pipeline.get().connecting();
        lifecycle.connecting();
    }

    @Override
    public void connected(Connection connection) {
        pipeline.get().connected(connection);
        lifecycle.connected(connection);
        callbacks.onConnected().run();
    }

    @Override
    public void failed(CallFailure failure) {
        pipeline.get().failed(failure);
        lifecycle.failed(failure);
        report(failure);
    }

    @Override
    public void lost(Connection connection, CallFailure failure) {
        pipeline.get().lost(connection, failure);
        lifecycle.lost(connection, failure, callbacks.causes().apply(connection));
        callbacks.onLost().accept(connection, failure);
        report(failure);
    }

    @Override
    public void stateLost(StateLost loss) {
        lifecycle.stateLost(loss);
    }

    private void report(CallFailure failure) {
        boolean isOurDoing =
                failure.category() == FailureCategory.LOCAL || failure.category() == FailureCategory.CANCELLED;
        if (!isOurDoing && isNews(failure.message())) {
            LOG.log(Level.WARNING, failure.message());
        }
    }

    private synchronized boolean isNews(String message) {
        long now = platform.ticker().nanos();
        if (message.equals(said) && now - saidAt < AGAIN.toNanos()) {
            return false;
        }
        said = message;
        saidAt = now;
        return true;
    }
}
