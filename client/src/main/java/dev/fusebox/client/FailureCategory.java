package dev.fusebox.client;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// What kind of failure it is, which decides who is blamed.
public enum FailureCategory {
    AUTH,
    OFFLINE,
    HTTP,
    STDIO_EXIT,
    OTHER,
    PROTOCOL,
    LOCAL,
    CANCELLED,
    POLICY;

    /// The category of a spelling; [#OTHER] if it is none.
    public static FailureCategory spelled(@Nullable String word) {
        for (FailureCategory category : values()) {
            if (category.toString().equals(word)) {
                return category;
            }
        }
        return OTHER;
    }

    /// The spelling on the wire: `stdio-exit`.
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
