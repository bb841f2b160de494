package dev.fusebox.gateway.routing;

import dev.fusebox.client.Deadline;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/// The part of one client in a login to a server. Thread-safe; [#link] blocks for the network.
public interface UserLogin {
    /// What the client shows to its user; null if that is not known before the deadline, or the login has failed.
    @Nullable
    Link link(Deadline deadline) throws InterruptedException;

    /// The user does not want the login. It ends if no other client takes part.
    void leave();

    /// Where the user logs in, and why. Immutable. Its text form does not contain the address.
    record Link(URI url, String message) {
        @Override
        public String toString() {
            return "Link[" + message + "]";
        }
    }

    /// Receiver of the result of a login. It must not block.
    @FunctionalInterface
    interface Listener {
        void ended(boolean isLoggedIn);
    }
}
