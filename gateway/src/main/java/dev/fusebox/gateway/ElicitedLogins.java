package dev.fusebox.gateway;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.ErrorId;
import dev.fusebox.gateway.lifecycle.ServerHealth;
import dev.fusebox.gateway.routing.UserLogin;
import dev.fusebox.gateway.routing.UserLogins;
import dev.fusebox.oauth.LoginFlow;
import dev.fusebox.oauth.LoginListener;
import dev.fusebox.oauth.ServerLogin;
import dev.fusebox.platform.LazyLoggers;
import dev.fusebox.platform.Platform;
import dev.fusebox.platform.VirtualThreadStarter;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// The logins in the background of calls, one at a time for each server. A login that has succeeded connects its
/// server before the calls that wait for it are sent again. Thread-safe; [#begin] blocks for the storage of
/// logins, and [#close] for a moment for the ends of those in progress.
final class ElicitedLogins implements UserLogins, AutoCloseable {
    private static final System.Logger LOG = LazyLoggers.of(ElicitedLogins.class);

    /// A login that is given up notes that within milliseconds, unless a request is in progress.
    private static final Duration END_LIMIT = Duration.ofSeconds(1);

    private final Platform platform;
    private final LoginPages pages;
    private final LoginListener listener;
    private final Map<String, ElicitedLogin> inProgress = new HashMap<>();
    private volatile @Nullable ServerLogins serverLogins;
    private volatile BooleanSupplier isAsking = () -> false;
    private volatile @Nullable Connecting connecting;
    private boolean isClosed;

    ElicitedLogins(Platform platform, LoginPages pages, LoginListener listener) {
        this.platform = platform;
        this.pages = pages;
        this.listener = listener;
    }

    /// Connects a server with its new login. Blocks until its state is known.
    @FunctionalInterface
    interface Connecting {
        /// The state of the server after that; null if there is no such server any more.
        @Nullable
        ServerHealth connect(String server) throws InterruptedException;
    }

    void use(ServerLogins all, BooleanSupplier mayAsk) {
        serverLogins = all;
        isAsking = mayAsk;
    }

    void connectBy(Connecting other) {
        connecting = other;
    }

    @Override
    public boolean hasCredentials(String server) {
        ServerLogins all = serverLogins;
        return all != null && all.hasCredentials(server);
    }

    @Override
    public @Nullable UserLogin begin(String server, CallFailure failure, UserLogin.Listener waiting) {
        ServerLogins all = serverLogins;
        ServerLogin login = all == null || !isAsking.getAsBoolean()
                ? null
                : all.login(server).orElse(null);
        boolean isScopeMissing = failure.id() == ErrorId.SCOPE_MISSING;
        String tool = isScopeMissing ? failure.evidence().context().tool() : null;
        LoginFlow.Wish wish = login == null || (isScopeMissing && tool == null) ? null : login.wish(tool);
        return all == null || login == null || wish == null
                ? null
                : begin(login, all.logins().flow(login.settings()), wish, waiting);
    }

    private synchronized @Nullable UserLogin begin(
            ServerLogin login, LoginFlow flow, LoginFlow.Wish wish, UserLogin.Listener waiting) {
        if (isClosed) {
            return null;
        }
        String server = login.settings().server();
        ElicitedLogin previous = inProgress.get(server);
        UserLogin joined = previous == null ? null : previous.join(waiting);
        if (joined != null) {
            return joined;
        }
        ElicitedLogin next = new ElicitedLogin(platform, login.settings(), pages);
        UserLogin part = next.join(waiting);
        inProgress.put(server, next);
        VirtualThreadStarter.start(
                "fusebox-login",
                () -> run(server, next, () -> next.make(flow, wish, previous)),
                () -> end(server, next, "no thread could be started"));
        return part;
    }

    /// A login; returns how it has ended.
    @FunctionalInterface
    private interface Making {
        String make() throws InterruptedException;
    }

    private void run(String server, ElicitedLogin login, Making making) {
        String result = "internal error in the gateway; see its log";
        try {
            result = making.make();
            Connecting known = connecting;
            if (known != null && result.equals(LoginListener.SUCCEEDED)) {
                known.connect(server);
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            result = "interrupted";
        } catch (RuntimeException | Error bug) {
            LOG.log(Level.ERROR, server + ": login failed (internal error)", bug);
        } finally {
            end(server, login, result);
        }
    }

    private void end(String server, ElicitedLogin login, String result) {
        synchronized (this) {
            inProgress.remove(server, login);
        }
        listener.ended(server, result);
        login.end(result.equals(LoginListener.SUCCEEDED));
    }

    @Override
    public void close() {
        List<ElicitedLogin> all;
        synchronized (this) {
            isClosed = true;
            all = List.copyOf(inProgress.values());
        }
        // A method reference would load the class also for an empty list.
        for (ElicitedLogin login : all) {
            login.giveUp();
        }
        long end = platform.ticker().nanos() + END_LIMIT.toNanos();
        try {
            for (ElicitedLogin login : all) {
                login.awaitEnd(Duration.ofNanos(end - platform.ticker().nanos()));
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }
}
