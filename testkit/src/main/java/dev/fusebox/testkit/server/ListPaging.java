package dev.fusebox.testkit.server;

import dev.fusebox.protocol.JsonView;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Cuts lists into pages. Immutable and thread-safe.
///
/// @param size entries a page; 0 for all on one page
record ListPaging(int size) {
    private static final String CURSOR = "from-";

    /// One page of a list.
    ///
    /// @param name what the list is called in the result
    /// @param params of the request, with the cursor
    String page(String name, List<String> items, @Nullable JsonView params) throws RpcError {
        int from = start(params, items.size());
        int to = size == 0 ? items.size() : Math.min(items.size(), from + size);
        String next = to < items.size() ? ",\"nextCursor\":\"" + CURSOR + to + "\"" : "";
        return "{" + ToolContent.quoted(name) + ":" + ToolContent.array(items.subList(from, to)) + next + "}";
    }

    private static int start(@Nullable JsonView params, int end) throws RpcError {
        String cursor = params == null ? null : params.string("cursor");
        if (cursor == null) {
            return 0;
        }
        if (cursor.matches(CURSOR + "\\d{1,9}")) {
            int start = Integer.parseInt(cursor.substring(CURSOR.length()));
            if (start < end) {
                return start;
            }
        }
        throw RpcError.invalidParams("the cursor '" + cursor + "' is none of ours; list from the beginning");
    }
}
