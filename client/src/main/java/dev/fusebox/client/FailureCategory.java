package dev.fusebox.client;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Category of a failure, which decides how it counts for the breakers.
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

    /// The category with this spelling; [#OTHER] if there is none.
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
