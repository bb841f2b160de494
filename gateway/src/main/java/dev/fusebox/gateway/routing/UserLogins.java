package dev.fusebox.gateway.routing;

import dev.fusebox.client.CallFailure;
import org.jspecify.annotations.Nullable;

/// The logins to servers that the users of clients make in the background of a call. Thread-safe; blocks for the
/// storage of logins.
public interface UserLogins {
    /// No user is asked for a login.
    UserLogins NONE = new UserLogins() { // a lambda of an interface is linked at each start
                @Override
                public @Nullable UserLogin begin(String server, CallFailure failure, UserLogin.Listener listener) {
                    return null;
                }
            };

    /// Whether the requests to a server carry credentials, so that its answers may be for their owner only.
    default boolean hasCredentials(String server) {
        return false;
    }

    /// Begins the login that a failed call lacks, or takes part in the one that is in progress.
    ///
    /// @param listener is told once how the login has ended, unless this gives null
    /// @return null if no login would help, or users are not asked
    @Nullable
    UserLogin begin(String server, CallFailure failure, UserLogin.Listener listener);
}
