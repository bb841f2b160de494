package dev.fusebox.http;

import java.util.Locale;

/// The policy for connections of other users of this machine.
public enum OtherUsersPolicy {
    REFUSE,
    ALLOW;

    /// The value in the configuration.
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
