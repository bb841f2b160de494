package dev.fusebox.client;

import java.util.Locale;

/// What kind of failure it is, which decides who is blamed.
public enum Category {
    AUTH,
    OFFLINE,
    HTTP,
    STDIO_EXIT,
    OTHER,
    PROTOCOL,
    LOCAL,
    CANCELLED,
    POLICY;

    /// The spelling on the wire: `stdio-exit`.
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
