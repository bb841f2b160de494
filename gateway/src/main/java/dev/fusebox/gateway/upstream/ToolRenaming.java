package dev.fusebox.gateway.upstream;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Other names for tools of one server, for the part of the shown name that comes after the server. There and back
/// it is always one tool. Immutable.
public final class ToolRenaming {
    private final Map<String, String> shownByOwn;
    private final Map<String, String> ownByShown = new HashMap<>();

    /// Refuses two tools with one name.
    ///
    /// @param shownByOwn the new name of each tool that has one
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

    /// Every tool keeps its name.
    public static ToolRenaming none() {
        return new ToolRenaming(Map.of());
    }

    /// The name to be shown; null if another tool was given the name of this one, and this one no other.
    public @Nullable String shown(String own) {
        String renamed = shownByOwn.get(own);
        if (renamed != null) {
            return renamed;
        }
        return ownByShown.containsKey(own) ? null : own;
    }

    /// The server's own name of what is shown by this one; null if there is no such tool: it was renamed.
    public @Nullable String own(String shown) {
        String own = ownByShown.get(shown);
        if (own != null) {
            return own;
        }
        return shownByOwn.containsKey(shown) ? null : shown;
    }
}
