package dev.fusebox.gateway.era;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Connection;
import dev.fusebox.client.ConnectionListener;
import dev.fusebox.client.ServerMessageHandler;
import dev.fusebox.client.resilience.CallPipeline;
import dev.fusebox.client.resilience.RetrySafety;
import dev.fusebox.config.ConnectionSharing;
import dev.fusebox.config.SessionBounds;
import dev.fusebox.gateway.result.ResultLimiter;
import dev.fusebox.gateway.session.ConnectionGovernor;
import dev.fusebox.gateway.session.FrontTarget;
import dev.fusebox.gateway.session.SessionSettings;
import dev.fusebox.platform.Platform;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// The gateway service for a single server: names, results and notifications pass unchanged. Immutable except
/// for the call pipeline.
///
/// @param frontTarget the server, with the pipeline as its connection listener
/// @param pipeline its call pipeline; null if calls go straight to the server
/// @param retrySafeties by tool, which calls may be sent again
/// @param resultLimit the limit on its results; null for none
public record SingleServer(
        FrontTarget frontTarget,
        @Nullable CallPipeline pipeline,
        Function<String, RetrySafety> retrySafeties,
        @Nullable ResultLimit resultLimit)
        implements GatewayService {
    /// A server without a call pipeline.
    public SingleServer(FrontTarget frontTarget) {
        this(frontTarget.sharedAs(ConnectionSharing.BY_CALL), null, tool -> RetrySafety.SAFE, null);
    }

    /// The limit on the results of the server. Immutable but for the rules of the limiter.
    ///
    /// @param maxBytes its own, as in [ResultSource]
    record ResultLimit(ResultLimiter limiter, long maxBytes) {}

    /// The same with limits on its results.
    ///
    /// @param limiter closed with the service
    /// @param maxBytes the limit of the server, as in [ResultSource]
    public SingleServer limiting(ResultLimiter limiter, long maxBytes) {
        return new SingleServer(frontTarget, pipeline, retrySafeties, new ResultLimit(limiter, maxBytes));
    }

    /// A server behind its call pipeline, which listens to its connections.
    public static SingleServer behind(
            CallPipeline pipeline, FrontTarget frontTarget, Function<String, RetrySafety> retrySafeties) {
        return behind(pipeline, frontTarget, retrySafeties, loss -> {});
    }

    /// The same, with a listener for processes of a session that were replaced.
    public static SingleServer behind(
            CallPipeline pipeline,
            FrontTarget frontTarget,
            Function<String, RetrySafety> retrySafeties,
            Consumer<ConnectionListener.StateLost> losses) {
        return new SingleServer(
                frontTarget.under(
                        new ConnectionGovernor(new LossListener(pipeline, losses), ConnectionSharing.BY_CALL)),
                pipeline,
                retrySafeties,
                null);
    }

    /// The pipeline, and the listener for lost session state. Immutable.
    private record LossListener(CallPipeline pipeline, Consumer<StateLost> losses) implements ConnectionListener {
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
        // Connections are closed by their front ends.
        if (resultLimit != null) {
            resultLimit.limiter().close();
        }
    }
}
