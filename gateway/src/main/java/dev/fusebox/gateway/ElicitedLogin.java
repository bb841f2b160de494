package dev.fusebox.gateway;

import dev.fusebox.client.Deadline;
import dev.fusebox.client.Promise;
import dev.fusebox.gateway.routing.UserLogin;
import dev.fusebox.oauth.LoginFlow;
import dev.fusebox.oauth.LoginListener;
import dev.fusebox.oauth.login.AuthorizationRequest;
import dev.fusebox.oauth.login.CallbackListener;
import dev.fusebox.oauth.login.OneTimeLinks;
import dev.fusebox.oauth.login.PendingLogin;
import dev.fusebox.oauth.protocol.DeviceCode;
import dev.fusebox.oauth.protocol.LoginSettings;
import dev.fusebox.oauth.protocol.OAuthException;
import dev.fusebox.oauth.token.TokenRecord;
import dev.fusebox.platform.LazyLoggers;
import dev.fusebox.platform.Platform;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A login to one server in the background of calls: each client that takes part gets a link for its user, and all
/// get the result. It ends when no client takes part any more. Thread-safe; [#make] blocks for the person.
final class ElicitedLogin implements LoginFlow.Person {
    private static final System.Logger LOG = LazyLoggers.of(ElicitedLogin.class);

    /// A login without participants ends within milliseconds, unless a request is in progress.
    private static final Duration PREVIOUS_LIMIT = Duration.ofSeconds(30);

    /// Other codes come from a file that was not written by Fusebox.
    private static final Pattern USER_CODE = Pattern.compile("[\\w -]{1,40}");

    private final Platform platform;
    private final LoginSettings settings;
    private final LoginPages pages;
    private final Promise<Optional<Page>> page = new Promise<>();
    private final Promise<Boolean> hasEnded = new Promise<>();
    private final Set<Participant> participants = new LinkedHashSet<>();
    private boolean isGone;
    private volatile @Nullable Thread runner;

    ElicitedLogin(Platform platform, LoginSettings settings, LoginPages pages) {
        this.platform = platform;
        this.settings = settings;
        this.pages = pages;
    }

    /// Where the person logs in.
    ///
    /// @param userCode to enter there; null for none
    private record Page(URI url, @Nullable String userCode) {
        @Override
        public String toString() {
            return "Page[" + url.getHost() + "]";
        }
    }

    // ---- The login

    /// Makes the login.
    ///
    /// @param previous the login before, whose end is awaited; null for none
    /// @return [LoginListener#SUCCEEDED], or why it failed
    String make(LoginFlow flow, LoginFlow.Wish wish, @Nullable ElicitedLogin previous) throws InterruptedException {
        runner = Thread.currentThread();
        try {
            if (previous != null) {
                previous.hasEnded.await(platform, PREVIOUS_LIMIT);
            }
            TokenRecord _ = flow.inBrowser(wish, this);
            return LoginListener.SUCCEEDED;
        } catch (OAuthException failed) {
            return failed.message();
        }
    }

    /// Tells all clients that take part.
    void end(boolean isLoggedIn) {
        List<Participant> all;
        synchronized (this) {
            isGone = true;
            all = List.copyOf(participants);
            participants.clear();
        }
        page.complete(Optional.empty());
        all.forEach(participant -> participant.end(isLoggedIn));
        hasEnded.complete(true);
    }

    /// A second request means that the client had to be registered again. The link was used by then, so the login
    /// is given up; the next one uses the new registration.
    @Override
    public void authorize(URI url, CallbackListener callbackListener, AuthorizationRequest request) {
        if (!page.complete(Optional.of(new Page(url, null)))) {
            giveUp();
        }
    }

    /// The person opens the page where the login was begun, which may be in another process.
    @Override
    public void join(PendingLogin pendingLogin) {
        page.complete(Optional.of(new Page(pendingLogin.url(), pendingLogin.userCode())));
    }

    @Override
    public void enterCode(DeviceCode deviceCode) {
        page.complete(Optional.of(new Page(deviceCode.verificationUri(), deviceCode.userCode())));
    }

    @Override
    public synchronized boolean isGone() {
        return isGone;
    }

    /// Ends the login without a result.
    void giveUp() {
        synchronized (this) {
            isGone = true;
        }
        LockSupport.unpark(runner);
    }

    /// Waits until the login has ended and writes no more files, at most for the limit.
    void awaitEnd(Duration limit) throws InterruptedException {
        hasEnded.await(platform, limit);
    }

    // ---- The clients

    /// Adds a client; null if the login is ending.
    synchronized @Nullable UserLogin join(UserLogin.Listener listener) {
        if (isGone) {
            return null;
        }
        Participant participant = new Participant(listener);
        participants.add(participant);
        return participant;
    }

    private String host() {
        return OneTimeLinks.plain(
                Objects.requireNonNullElse(settings.serverUrl().getHost(), settings.server()));
    }

    private String message(Page shown) {
        String code = shown.userCode();
        String enter = code == null || !USER_CODE.matcher(code).matches() ? "" : " Enter the code " + code + " there.";
        return "Log in to the MCP server " + settings.server() + " (" + host()
                + "), so that the call can go on. The link works once, for ten minutes, and on this machine only."
                + enter;
    }

    /// One client that takes part.
    private final class Participant implements UserLogin {
        private final Listener listener;
        private @Nullable URI link;
        private boolean hasLeft;

        Participant(Listener listener) {
            this.listener = listener;
        }

        @Override
        public @Nullable Link link(Deadline deadline) throws InterruptedException {
            Optional<Page> found = deadline.await(page, platform);
            if (found == null || found.isEmpty()) {
                return null;
            }
            try {
                Page shown = found.get();
                URI url = pages.add(shown.url(), settings.server(), host());
                keep(url);
                return new Link(url, message(shown));
            } catch (IOException noPort) {
                LOG.log(Level.WARNING, settings.server() + ": cannot show a link to the login: " + noPort.getMessage());
                return null;
            }
        }

        private void keep(URI url) {
            boolean isLate;
            synchronized (this) {
                link = url;
                isLate = hasLeft;
            }
            if (isLate) {
                pages.remove(url);
            }
        }

        private void removeLink() {
            URI shown;
            synchronized (this) {
                hasLeft = true;
                shown = link;
            }
            if (shown != null) {
                pages.remove(shown);
            }
        }

        @Override
        public void leave() {
            removeLink();
            boolean isLast;
            synchronized (ElicitedLogin.this) {
                isLast = participants.remove(this) && participants.isEmpty();
                // No client joins a login that is given up.
                isGone |= isLast;
            }
            if (isLast) {
                giveUp();
            }
        }

        void end(boolean isLoggedIn) {
            removeLink();
            listener.ended(isLoggedIn);
        }
    }
}
