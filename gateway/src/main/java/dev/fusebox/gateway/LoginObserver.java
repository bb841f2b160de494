package dev.fusebox.gateway;

import dev.fusebox.client.redaction.Redactor;
import dev.fusebox.gateway.observe.EventLog;
import dev.fusebox.gateway.observe.LoginEvent;
import dev.fusebox.oauth.LoginListener;
import java.time.Instant;
import java.util.Collection;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Publisher of what happens to logins, and of their tokens to the redaction of messages. Thread-safe; nothing blocks.
///
/// @param hide is given the tokens, which no message may show from then on
record LoginObserver(EventLog eventLog, Consumer<Redactor> hide) implements LoginListener {
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
    public void secrets(Collection<String> secrets) {
        hide.accept(Redactor.of(secrets));
    }
}
