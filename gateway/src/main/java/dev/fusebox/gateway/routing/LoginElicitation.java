package dev.fusebox.gateway.routing;

import dev.fusebox.client.Deadline;
import dev.fusebox.client.Promise;
import dev.fusebox.client.ReplyHandler;
import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.RequestId;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The question to one client whether its user logs in to a server, and the login itself. Thread-safe; only
/// [#await] blocks.
///
/// ```
/// ASKED -- accept ----------------> ACCEPTED -- login ends --> ENDED
///   `----- decline, cancel, error, login ends -----------------^
/// ```
///
/// A login that was accepted goes on when the call that asked for it no longer waits.
final class LoginElicitation implements ReplyHandler, UserLogin.Listener {
    private final Promise<Boolean> end = new Promise<>();
    private final Consumer<LoginElicitation> whenEnded;
    private volatile @Nullable UserLogin login;
    private volatile boolean isAccepted;

    /// @param whenEnded must not block
    LoginElicitation(Consumer<LoginElicitation> whenEnded) {
        this.whenEnded = whenEnded;
    }

    void attach(UserLogin begun) {
        login = begun;
    }

    boolean hasEnded() {
        return end.now() != null;
    }

    /// Waits until the login has ended; false if that was without success, or the caller no longer waits. The
    /// clock of the call is stopped, because a person is at work.
    boolean await(Deadline deadline, Platform platform) throws InterruptedException {
        deadline.stop();
        try {
            return Boolean.TRUE.equals(deadline.await(end, platform));
        } finally {
            deadline.go();
        }
    }

    @Override
    public void ended(boolean isLoggedIn) {
        if (end.complete(isLoggedIn)) {
            whenEnded.accept(this);
        }
    }

    // ---- The answer of the client

    /// @param action of the result; null if there is none
    void answer(@Nullable String action) {
        if ("accept".equals(action)) {
            isAccepted = true;
        } else {
            refuse();
        }
    }

    @Override
    public void answer(JsonView answer, RequestId question) {
        JsonView action = answer.path("result", "action");
        answer(action == null ? null : action.string());
    }

    /// The client did not answer in time, or cannot be asked.
    @Override
    public void sendOneWay(byte[] refusal) {
        refuse();
    }

    void refuse() {
        UserLogin begun = login;
        if (begun != null) {
            begun.leave();
        }
        ended(false);
    }

    /// The call that asked no longer waits.
    void abandon() {
        if (!isAccepted) {
            refuse();
        }
    }
}
