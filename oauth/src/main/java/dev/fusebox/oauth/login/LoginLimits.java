package dev.fusebox.oauth.login;

import java.time.Duration;

/// Limits of logins. Immutable.
public final class LoginLimits {
    /// How long a person may take for a login.
    public static final Duration PERSON = Duration.ofMinutes(10);

    private LoginLimits() {}
}
