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

/// The server behind a front end, with everything needed to connect to it. Immutable.
///
/// @param settings the settings of client sessions
/// @param connector opens connections to it
/// @param eras how its era is determined
/// @param bounds the number of HTTP sessions and their idle time
/// @param connectionGovernor the listener and the sharing rule for its connections
public record FrontTarget(
        SessionSettings settings,
        Connector connector,
        EraRule eras,
        SessionBounds bounds,
        ConnectionGovernor connectionGovernor) {
    /// A target with default settings.
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

    /// The same with another era.
    public FrontTarget withEra(EraPolicy other) {
        return new FrontTarget(settings, connector, eras.with(other), bounds, connectionGovernor);
    }

    /// The same with another timeout for era detection.
    public FrontTarget withEraProbe(Duration other) {
        return new FrontTarget(settings, connector, eras.with(other), bounds, connectionGovernor);
    }

    /// The same, with era detection that begins with a handshake.
    public FrontTarget greetedFirst() {
        return new FrontTarget(settings, connector, eras.greetedFirst(), bounds, connectionGovernor);
    }

    /// The same with a decorated connector.
    public FrontTarget behind(UnaryOperator<Connector> other) {
        return new FrontTarget(settings, other.apply(connector), eras, bounds, connectionGovernor);
    }

    /// The same with another governor.
    public FrontTarget under(ConnectionGovernor other) {
        return new FrontTarget(settings, connector, eras, bounds, other);
    }

    /// The same with another sharing rule.
    public FrontTarget sharedAs(ConnectionSharing other) {
        return under(new ConnectionGovernor(connectionGovernor.listener(), other));
    }

    /// The configured era.
    public EraPolicy era() {
        return eras.policy();
    }

    /// A connection to the server in the modern era.
    public ReconnectingConnection plain(Platform platform, ServerMessageHandler serverMessageHandler) {
        return new ReconnectingConnection(platform, connector, serverMessageHandler, settings.connectTimeout())
                .watchedBy(connectionGovernor.listener());
    }

    /// A connection to the server in the legacy era, for a client with these capabilities.
    ///
    /// @param capabilities as JSON
    public ReconnectingConnection greeting(
            Platform platform, ServerMessageHandler serverMessageHandler, String capabilities) {
        JsonView handshake = JsonView.of("{\"protocolVersion\":\"2025-11-25\",\"capabilities\":" + capabilities
                + ",\"clientInfo\":{\"name\":\"fusebox\",\"version\":\"0.1\"}}");
        return plain(platform, serverMessageHandler).greeting(handshake);
    }
}
