package dev.fusebox.testkit.server;

import java.util.Arrays;
import java.util.Locale;

/// Which eras of the protocol a server speaks. On a command line it is written in small letters.
public enum Era {
    /// Sessions that begin with `initialize`: the revisions 2024-11-05 to 2025-11-25.
    LEGACY,
    /// Requests that stand for themselves: the revision 2026-07-28.
    MODERN,
    /// The client chooses: over HTTP with every request, over stdio with the first one.
    BOTH;

    static Era parse(String text) {
        return Arrays.stream(values())
                .filter(era -> era.text().equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no era is named '" + text + "'; there are "
                        + Arrays.stream(values()).map(Era::text).toList()));
    }

    /// As it is written on a command line.
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
