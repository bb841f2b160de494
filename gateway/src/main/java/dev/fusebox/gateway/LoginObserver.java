package dev.fusebox.gateway;

import dev.fusebox.gateway.observe.EventLog;
import dev.fusebox.gateway.observe.LoginEvent;
import dev.fusebox.oauth.LoginListener;
import java.time.Instant;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/// Listener that publishes login events, and adds new tokens to the redacted secrets. Thread-safe; nothing blocks.
///
/// @param knownSecrets receives the tokens
record LoginObserver(EventLog eventLog, KnownSecrets knownSecrets) implements LoginListener {
    @Override
    public void ended(String server, String result) {
        eventLog.publish(new LoginEvent.LoggedIn(server, result));
    }

    @Override
    public void refreshed(String server, @Nullable Instant expiresAt) {
        eventLog.publish(new LoginEvent.Refreshed(server, expiresAt));
    }

    @Override
    public void refreshFailed(String server, String cause, @Nullable Instant willRetryAt) {
        eventLog.publish(new LoginEvent.RefreshFailed(server, cause, willRetryAt));
    }

    @Override
    public void secrets(String server, Collection<String> secrets) {
        knownSecrets.addOfLogin(server, secrets);
    }
}
