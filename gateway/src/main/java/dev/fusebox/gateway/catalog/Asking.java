package dev.fusebox.gateway.catalog;

import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What a server has ever asked of its client, in this run or an earlier one, in the order of what follows: a
/// server that has asked for more is that.
public enum Asking {
    NOTHING,
    /// Only for the client's roots: clients with the same roots can share a process.
    ROOTS,
    /// For more, which concerns one client.
    QUESTIONS;

    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    static Asking of(@Nullable String word) {
        return Stream.of(values())
                .filter(each -> each.word().equals(word))
                .findFirst()
                .orElse(NOTHING);
    }

    /// The one from which more follows.
    public Asking or(Asking other) {
        return compareTo(other) >= 0 ? this : other;
    }
}
