package dev.fusebox.gateway.session;

import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Revisions of the protocol in the legacy era, oldest first.
public enum ProtocolRevision {
    V2024_11_05("2024-11-05"),
    V2025_03_26("2025-03-26"),
    V2025_06_18("2025-06-18"),
    V2025_11_25("2025-11-25");

    /// Used until a revision is negotiated.
    public static final ProtocolRevision NEWEST = V2025_11_25;

    private final String date;

    ProtocolRevision(String date) {
        this.date = date;
    }

    /// The revision of a date; empty for null or an unknown date.
    public static Optional<ProtocolRevision> dated(@Nullable String date) {
        return Arrays.stream(values()).filter(known -> known.date.equals(date)).findFirst();
    }

    /// Whether several messages may be sent in one array; only one revision allows it.
    public boolean hasBatches() {
        return this == V2025_03_26;
    }

    /// Whether tool results have a structured content beside their content.
    public boolean hasStructuredContent() {
        return compareTo(V2025_06_18) >= 0;
    }

    /// Whether an event stream begins with an empty event, so that the client can resume from it.
    public boolean primesStreams() {
        return this == V2025_11_25;
    }

    @Override
    public String toString() {
        return date;
    }
}
