package dev.fusebox.gateway.catalog;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A bijective renaming of the tools of one server, for the part of the exposed name after the server.
/// Immutable.
public final class ToolRenaming {
    private final Map<String, String> shownByOwn;
    private final Map<String, String> ownByShown = new HashMap<>();

    /// Rejects two tools with one name.
    ///
    /// @param shownByOwn the new name of each renamed tool
    public ToolRenaming(Map<String, String> shownByOwn) {
        this.shownByOwn = Map.copyOf(shownByOwn);
        this.shownByOwn.forEach((own, shown) -> {
            String other = ownByShown.putIfAbsent(shown, own);
            if (other != null) {
                throw new IllegalArgumentException(
                        "the tools " + own + " and " + other + " cannot both be shown as " + shown);
            }
        });
    }

    /// The renaming that changes nothing.
    public static ToolRenaming none() {
        return new ToolRenaming(Map.of());
    }

    /// The exposed name of a tool; null if another tool was given its name and it has no new one.
    public @Nullable String shown(String own) {
        String renamed = shownByOwn.get(own);
        if (renamed != null) {
            return renamed;
        }
        return ownByShown.containsKey(own) ? null : own;
    }

    /// The server's own name for an exposed name; null if there is no such tool, because it was renamed.
    public @Nullable String own(String shown) {
        String own = ownByShown.get(shown);
        if (own != null) {
            return own;
        }
        return shownByOwn.containsKey(shown) ? null : shown;
    }
}
