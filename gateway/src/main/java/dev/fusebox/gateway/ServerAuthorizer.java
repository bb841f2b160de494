package dev.fusebox.gateway;

import dev.fusebox.client.http.RequestAuthorizer;
import dev.fusebox.client.redaction.Redactor;
import dev.fusebox.oauth.ServerLogin;
import java.time.Duration;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The login to a server, opened when it is needed: a server that accepts requests without one costs nothing.
/// Thread-safe; blocks as [ServerLogin] does.
final class ServerAuthorizer implements RequestAuthorizer, AutoCloseable {
    private final Supplier<ServerLogin> source;
    private final boolean isNeeded;
    private volatile @Nullable ServerLogin serverLogin;
    private boolean isClosed;

    /// @param isNeeded whether the first request may already need it
    ServerAuthorizer(Supplier<ServerLogin> source, boolean isNeeded) {
        this.source = source;
        this.isNeeded = isNeeded;
    }

    /// The login, opened if it was not.
    ServerLogin login() {
        ServerLogin known = serverLogin;
        return known == null ? opened() : known;
    }

    /// The login if it was opened, or the first request may need it; null otherwise.
    @Nullable
    ServerLogin loginIfNeeded() {
        return isNeeded ? login() : serverLogin;
    }

    private synchronized ServerLogin opened() {
        ServerLogin known = serverLogin;
        if (known == null) {
            known = source.get();
            serverLogin = known;
            if (isClosed) {
                known.close();
            }
        }
        return known;
    }

    @Override
    public Authorization authorize(LongSupplier left) {
        return isNeeded || serverLogin != null ? login().authorize(left) : Authorization.NONE;
    }

    @Override
    public Reaction rejected(Authorization.Granted used, AuthRejection rejection, LongSupplier left) {
        return login().rejected(used, rejection, left);
    }

    @Override
    public void accepted(Authorization.Granted used) {
        ServerLogin known = serverLogin;
        if (known != null) {
            known.accepted(used);
        }
    }

    @Override
    public Redactor secrets() {
        ServerLogin known = serverLogin;
        return known == null ? Redactor.NONE : known.secrets();
    }

    /// Waits for a refresh that was running when this was closed, for a time at most.
    void awaitRefresh(Duration limit) throws InterruptedException {
        ServerLogin known = serverLogin;
        if (known != null) {
            known.awaitRefresh(limit);
        }
    }

    @Override
    public void close() {
        ServerLogin known;
        synchronized (this) {
            isClosed = true;
            known = serverLogin;
        }
        if (known != null) {
            known.close();
        }
    }
}
