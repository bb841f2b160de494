package dev.fusebox.gateway.tools;

import org.jspecify.annotations.Nullable;

/// Whose tools are searched: the clients that see the same servers, and therefore need one search index. The index
/// belongs to the view, and is freed with it. Thread-safe; nothing blocks.
public final class ToolView {
    private volatile @Nullable ToolIndexSnapshot latest;

    /// A view that has no index yet.
    public ToolView() {
        // The first search makes it.
    }

    /// Its latest index; null if it has none.
    @Nullable
    ToolIndexSnapshot latest() {
        return latest;
    }

    void keep(ToolIndexSnapshot snapshot) {
        latest = snapshot;
    }

    /// Frees its index.
    void forget() {
        latest = null;
    }
}
