package dev.fusebox.gateway.routing;

import dev.fusebox.protocol.JsonWriter;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Pagination of lists, with the gateway's own cursors. Pure functions; nothing blocks.
///
/// A cursor names the last item of its page. If that item is gone, the next page begins where it would have
/// been, so that no item is repeated because another was removed.
final class ListPages {
    private static final int MAX_ITEMS = 1_000;
    private static final int MAX_CHARACTERS = 4 << 20;

    private ListPages() {}

    /// One page. Immutable.
    ///
    /// @param next cursor; null on the last page
    record Page(String items, @Nullable String next) {}

    /// The page after a cursor; null if the cursor is invalid.
    static @Nullable Page page(List<VisibleCatalog.Row> all, @Nullable String cursor) {
        int from = cursor == null ? 0 : after(all, cursor);
        if (from < 0) {
            return null;
        }
        JsonWriter items = new JsonWriter().beginArray();
        int characters = 0;
        int at = from;
        while (at < all.size() && at - from < MAX_ITEMS && characters < MAX_CHARACTERS) {
            String json = all.get(at++).json();
            characters += json.length();
            items.raw(json);
        }
        String next = at < all.size() ? cursor(all.get(at - 1), at - 1) : null;
        return new Page(items.endArray().toString(), next);
    }

    private static String cursor(VisibleCatalog.Row last, int index) {
        byte[] text = (index + " " + last.shown()).getBytes(StandardCharsets.UTF_8);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text);
    }

    /// The index after the cursor; negative if the cursor is invalid.
    private static int after(List<VisibleCatalog.Row> all, String cursor) {
        String[] parts;
        try {
            parts = new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.UTF_8).split(" ", 2);
        } catch (IllegalArgumentException foreign) {
            return -1;
        }
        if (parts.length != 2 || !parts[0].matches("[0-9]{1,7}")) {
            return -1;
        }
        for (int i = 0; i < all.size(); i++) {
            if (all.get(i).shown().equals(parts[1])) {
                return i + 1;
            }
        }
        return Math.min(all.size(), Integer.parseInt(parts[0]));
    }
}
