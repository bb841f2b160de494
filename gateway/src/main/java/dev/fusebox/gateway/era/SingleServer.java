package dev.fusebox.gateway.era;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Connection;
import dev.fusebox.client.ConnectionListener;
import dev.fusebox.client.ServerMessageHandler;
import dev.fusebox.client.resilience.CallPipeline;
import dev.fusebox.client.resilience.RetrySafety;
import dev.fusebox.config.ConnectionSharing;
import dev.fusebox.config.SessionBounds;
import dev.fusebox.gateway.session.ConnectionGovernor;
import dev.fusebox.gateway.session.FrontTarget;
import dev.fusebox.gateway.session.SessionSettings;
import dev.fusebox.platform.Platform;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// One server as it is: names, results and notifications pass unchanged. Immutable but for the lane.
///
/// @param frontTarget the server, under the eyes of its lane
/// @param pipeline the way to it; null if calls go straight there
/// @param retrySafeties which calls of a tool may be sent a second time
public record SingleServer(
        FrontTarget frontTarget, @Nullable CallPipeline pipeline, Function<String, RetrySafety> retrySafeties)
        implements GatewayService {
    /// A server without a lane.
    public SingleServer(FrontTarget frontTarget) {
        this(frontTarget.sharedAs(ConnectionSharing.BY_CALL), null, tool -> RetrySafety.SAFE);
    }

    /// A server behind its lane, which sees its connections.
    public static SingleServer behind(
            CallPipeline pipeline, FrontTarget frontTarget, Function<String, RetrySafety> retrySafeties) {
        return behind(pipeline, frontTarget, retrySafeties, loss -> {});
    }

    /// The same, with a listener that is told when the process of a session was replaced.
    public static SingleServer behind(
            CallPipeline pipeline,
            FrontTarget frontTarget,
            Function<String, RetrySafety> retrySafeties,
            Consumer<ConnectionListener.StateLost> losses) {
        return new SingleServer(
                frontTarget.under(new ConnectionGovernor(new Heard(pipeline, losses), ConnectionSharing.BY_CALL)),
                pipeline,
                retrySafeties);
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
        return frontTarget.settings();
    }

    @Override
    public SessionBounds bounds() {
        return frontTarget.bounds();
    }

    @Override
    public UpstreamEndpoint endpoint(Platform platform, RandomGenerator secrets) {
        return new PipelinedEndpoint(new DetectedEndpoint(platform, frontTarget, secrets), this);
    }

    @Override
    public ClientConversation clientConversation(Platform platform, ServerMessageHandler serverMessageHandler) {
        return new SessionServer(platform, this, serverMessageHandler);
    }

    @Override
    public void close() {
        // Every connection belongs to a front.
    }
}
