package dev.fusebox.gateway.stateless;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Connection;
import dev.fusebox.client.ConnectionListener;
import dev.fusebox.client.ServerMessageHandler;
import dev.fusebox.client.resilience.CallPipeline;
import dev.fusebox.client.resilience.RetrySafety;
import dev.fusebox.gateway.served.Oversight;
import dev.fusebox.gateway.served.Served;
import dev.fusebox.gateway.served.SessionBounds;
import dev.fusebox.gateway.served.SessionSettings;
import dev.fusebox.gateway.served.Sharing;
import dev.fusebox.platform.Platform;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// One server as it is: names, results and notifications pass unchanged. Immutable but for the lane.
///
/// @param served the server, under the eyes of its lane
/// @param pipeline the way to it; null if calls go straight there
/// @param retrySafeties which calls of a tool may be sent a second time
public record OneServer(Served served, @Nullable CallPipeline pipeline, Function<String, RetrySafety> retrySafeties)
        implements Service {
    /// A server without a lane.
    public OneServer(Served served) {
        this(served.sharedAs(Sharing.BY_CALL), null, tool -> RetrySafety.SAFE);
    }

    /// A server behind its lane, which sees its connections.
    public static OneServer behind(CallPipeline pipeline, Served served, Function<String, RetrySafety> retrySafeties) {
        return behind(pipeline, served, retrySafeties, loss -> {});
    }

    /// The same, with a listener that is told when the process of a session was replaced.
    public static OneServer behind(
            CallPipeline pipeline,
            Served served,
            Function<String, RetrySafety> retrySafeties,
            Consumer<ConnectionListener.StateLost> losses) {
        return new OneServer(
                served.under(new Oversight(new Heard(pipeline, losses), Sharing.BY_CALL)), pipeline, retrySafeties);
    }

    /// The lane, and who hears of what it does not care about. Immutable.
    private record Heard(CallPipeline pipeline, Consumer<StateLost> losses) implements ConnectionListener {
        @Override
        public void connecting() {
            pipeline.connecting();
        }

        @Override
        public void connected(Connection connection) {
            pipeline.connected(connection);
        }

        @Override
        public void failed(CallFailure failure) {
            pipeline.failed(failure);
        }

        @Override
        public void lost(Connection connection, CallFailure failure) {
            pipeline.lost(connection, failure);
        }

        @Override
        public void stateLost(StateLost loss) {
            losses.accept(loss);
        }
    }

    @Override
    public SessionSettings settings() {
        return served.settings();
    }

    @Override
    public SessionBounds bounds() {
        return served.bounds();
    }

    @Override
    public Target target(Platform platform, RandomGenerator secrets) {
        return new LanedTarget(new EraTarget(platform, served, secrets), this);
    }

    @Override
    public Conversation conversation(Platform platform, ServerMessageHandler serverMessageHandler) {
        return new ServerOfSession(platform, this, serverMessageHandler);
    }

    @Override
    public void close() {
        // Every connection belongs to a front.
    }
}
