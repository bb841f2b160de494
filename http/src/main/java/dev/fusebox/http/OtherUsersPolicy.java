package dev.fusebox.http;

import java.util.Locale;

/// What becomes of connections that another user of this machine opens.
public enum OtherUsersPolicy {
    REFUSE,
    ALLOW;

    /// As the configuration has it.
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
