package dev.fusebox.gateway.session;

import dev.fusebox.client.Connector;
import dev.fusebox.client.ReconnectingConnection;
import dev.fusebox.client.ServerMessageHandler;
import dev.fusebox.config.ConnectionSharing;
import dev.fusebox.config.EraPolicy;
import dev.fusebox.config.EraRule;
import dev.fusebox.config.SessionBounds;
import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.JsonView;
import java.time.Duration;
import java.util.function.UnaryOperator;

/// The server behind a front. Immutable.
///
/// @param settings what a client's conversation with it keeps to
/// @param connector opens connections to it
/// @param eras which one it speaks, as far as the operator knows
/// @param bounds how many sessions there may be over HTTP, and for how long
/// @param connectionGovernor who else has a say in its connections
public record FrontTarget(
        SessionSettings settings,
        Connector connector,
        EraRule eras,
        SessionBounds bounds,
        ConnectionGovernor connectionGovernor) {
    /// As it is without configuration.
    public static FrontTarget of(SessionSettings settings, Connector connector) {
        return new FrontTarget(settings, connector, EraRule.USUAL, SessionBounds.USUAL, ConnectionGovernor.NONE);
    }

    /// The same with other settings.
    public FrontTarget with(SessionSettings other) {
        return new FrontTarget(other, connector, eras, bounds, connectionGovernor);
    }

    /// The same with other bounds.
    public FrontTarget withBounds(SessionBounds other) {
        return new FrontTarget(settings, connector, eras, other, connectionGovernor);
    }

    /// The same server, known to speak this era.
    public FrontTarget withEra(EraPolicy other) {
        return new FrontTarget(settings, connector, eras.with(other), bounds, connectionGovernor);
    }

    /// The same server, which is waited for so long when its era is found out.
    public FrontTarget withEraProbe(Duration other) {
        return new FrontTarget(settings, connector, eras.with(other), bounds, connectionGovernor);
    }

    /// The same server, whose era is found out by a handshake first.
    public FrontTarget greetedFirst() {
        return new FrontTarget(settings, connector, eras.greetedFirst(), bounds, connectionGovernor);
    }

    /// The same server, to which connections are opened in another way.
    public FrontTarget behind(UnaryOperator<Connector> other) {
        return new FrontTarget(settings, other.apply(connector), eras, bounds, connectionGovernor);
    }

    /// The same server under other eyes.
    public FrontTarget under(ConnectionGovernor other) {
        return new FrontTarget(settings, connector, eras, bounds, other);
    }

    /// The same server, whose connections clients share like this.
    public FrontTarget sharedAs(ConnectionSharing other) {
        return under(new ConnectionGovernor(connectionGovernor.listener(), other));
    }

    /// Which era it speaks, as far as the operator knows.
    public EraPolicy era() {
        return eras.policy();
    }

    /// A way to the server in the stateless era.
    public ReconnectingConnection plain(Platform platform, ServerMessageHandler serverMessageHandler) {
        return new ReconnectingConnection(platform, connector, serverMessageHandler, settings.connectTimeout())
                .watchedBy(connectionGovernor.listener());
    }

    /// A way to the server in the session era, for a client that can do this.
    ///
    /// @param capabilities as JSON
    public ReconnectingConnection greeting(
            Platform platform, ServerMessageHandler serverMessageHandler, String capabilities) {
        JsonView handshake = JsonView.of("{\"protocolVersion\":\"2025-11-25\",\"capabilities\":" + capabilities
                + ",\"clientInfo\":{\"name\":\"fusebox\",\"version\":\"0.1\"}}");
        return plain(platform, serverMessageHandler).greeting(handshake);
    }
}
