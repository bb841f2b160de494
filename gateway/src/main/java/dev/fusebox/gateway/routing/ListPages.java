package dev.fusebox.gateway.routing;

import dev.fusebox.protocol.JsonWriter;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Pagination of lists, with the gateway's own cursors. Pure functions; nothing blocks.
///
/// A cursor names the last item of its page. If that item is gone, the next page begins where it would have
/// been, so that no item is repeated because another was removed. It also has the cache scope of its page, since all
/// pages must have the same (revision 2026-07-28, section "Caching").
final class ListPages {
    private static final int MAX_ITEMS = 1_000;
    private static final int MAX_CHARACTERS = 4 << 20;

    private ListPages() {}

    /// One page. Immutable.
    ///
    /// @param next cursor; null on the last page
    /// @param isPublic whether it may be cached for other clients
    record Page(String items, @Nullable String next, boolean isPublic) {}

    /// The page after a cursor; null if the cursor is invalid, or its page was public and this one must not be.
    ///
    /// @param mayBePublic whether the list may be cached for other clients
    static @Nullable Page page(List<VisibleCatalog.Row> all, @Nullable String cursor, boolean mayBePublic) {
        Position position = cursor == null ? new Position("0", "", mayBePublic) : Position.of(cursor);
        if (position == null || (position.isPublic() && !mayBePublic)) {
            return null;
        }
        int from = cursor == null ? 0 : after(all, position);
        JsonWriter items = new JsonWriter().beginArray();
        int characters = 0;
        int at = from;
        while (at < all.size() && at - from < MAX_ITEMS && characters < MAX_CHARACTERS) {
            String json = all.get(at++).json();
            characters += json.length();
            items.raw(json);
        }
        String next = at < all.size()
                ? new Position(String.valueOf(at - 1), all.get(at - 1).shown(), position.isPublic()).cursor()
                : null;
        return new Page(items.endArray().toString(), next, position.isPublic());
    }

    /// The end of a page. Immutable.
    ///
    /// @param index of its last item
    /// @param shown the exposed name of that item
    /// @param isPublic whether the page may be cached for other clients
    private record Position(String index, String shown, boolean isPublic) {
        private static final Pattern TEXT = Pattern.compile("([0-9]{1,7})(p?) (.*)", Pattern.DOTALL);

        /// Null if the cursor is not one of the gateway.
        static @Nullable Position of(String cursor) {
            try {
                Matcher text = TEXT.matcher(new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.UTF_8));
                return text.matches()
                        ? new Position(
                                text.group(1), text.group(3), !text.group(2).isEmpty())
                        : null;
            } catch (IllegalArgumentException foreign) {
                return null;
            }
        }

        String cursor() {
            byte[] text = (index + (isPublic ? "p " : " ") + shown).getBytes(StandardCharsets.UTF_8);
            return Base64.getUrlEncoder().withoutPadding().encodeToString(text);
        }
    }

    /// The index after a position.
    private static int after(List<VisibleCatalog.Row> all, Position position) {
        for (int i = 0; i < all.size(); i++) {
            if (all.get(i).shown().equals(position.shown())) {
                return i + 1;
            }
        }
        return Math.min(all.size(), Integer.parseInt(position.index()));
    }
}
