package dev.fusebox.gateway.session;

import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Revisions of the protocol in the session era, oldest first.
public enum ProtocolRevision {
    V2024_11_05("2024-11-05"),
    V2025_03_26("2025-03-26"),
    V2025_06_18("2025-06-18"),
    V2025_11_25("2025-11-25");

    /// What is spoken as long as nobody has said anything else.
    public static final ProtocolRevision NEWEST = V2025_11_25;

    private final String date;

    ProtocolRevision(String date) {
        this.date = date;
    }

    /// The revision of a date; empty if it is none that we know, or null.
    public static Optional<ProtocolRevision> dated(@Nullable String date) {
        return Arrays.stream(values()).filter(known -> known.date.equals(date)).findFirst();
    }

    /// Only one revision lets several messages travel in one array.
    public boolean hasBatches() {
        return this == V2025_03_26;
    }

    /// Whether results of tools have an object beside their content.
    public boolean hasStructuredContent() {
        return compareTo(V2025_06_18) >= 0;
    }

    /// Whether a stream of events begins with one that says nothing, so that the client can resume from it.
    public boolean primesStreams() {
        return this == V2025_11_25;
    }

    @Override
    public String toString() {
        return date;
    }
}
