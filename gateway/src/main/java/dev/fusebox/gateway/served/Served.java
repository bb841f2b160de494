package dev.fusebox.gateway.served;

import dev.fusebox.client.Connector;
import dev.fusebox.client.ReconnectingConnection;
import dev.fusebox.client.ServerMessageHandler;
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
/// @param oversight who else has a say in its connections
public record Served(
        SessionSettings settings, Connector connector, EraRule eras, SessionBounds bounds, Oversight oversight) {
    /// As it is without configuration.
    public static Served of(SessionSettings settings, Connector connector) {
        return new Served(settings, connector, EraRule.USUAL, SessionBounds.USUAL, Oversight.NONE);
    }

    /// The same with other settings.
    public Served with(SessionSettings other) {
        return new Served(other, connector, eras, bounds, oversight);
    }

    /// The same with other bounds.
    public Served withBounds(SessionBounds other) {
        return new Served(settings, connector, eras, other, oversight);
    }

    /// The same server, known to speak this era.
    public Served withEra(EraPolicy other) {
        return new Served(settings, connector, eras.with(other), bounds, oversight);
    }

    /// The same server, which is waited for so long when its era is found out.
    public Served withEraProbe(Duration other) {
        return new Served(settings, connector, eras.with(other), bounds, oversight);
    }

    /// The same server, whose era is found out by a handshake first.
    public Served greetedFirst() {
        return new Served(settings, connector, eras.greetedFirst(), bounds, oversight);
    }

    /// The same server, to which connections are opened in another way.
    public Served behind(UnaryOperator<Connector> other) {
        return new Served(settings, other.apply(connector), eras, bounds, oversight);
    }

    /// The same server under other eyes.
    public Served under(Oversight other) {
        return new Served(settings, connector, eras, bounds, other);
    }

    /// The same server, whose connections clients share like this.
    public Served sharedAs(Sharing other) {
        return under(new Oversight(oversight.listener(), other));
    }

    /// Which era it speaks, as far as the operator knows.
    public EraPolicy era() {
        return eras.policy();
    }

    /// A way to the server in the stateless era.
    public ReconnectingConnection plain(Platform platform, ServerMessageHandler serverMessageHandler) {
        return new ReconnectingConnection(platform, connector, serverMessageHandler, settings.connectTimeout())
                .watchedBy(oversight.listener());
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
