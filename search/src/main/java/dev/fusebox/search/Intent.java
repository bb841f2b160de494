package dev.fusebox.search;

import java.util.Locale;
import java.util.Set;

/// Whether a query only asks for something, and whether a tool changes something. Of tools that fit a question about
/// equally well, one that only reads is more likely meant. Stateless, thread-safe.
final class Intent {
    private static final Set<String> ASKING = Set.of(
            "who", "whose", "what", "what's", "which", "when", "where", "why", "how", "list", "show", "find", "search",
            "get", "look", "lookup", "read", "check", "fetch", "view", "count", "is", "are", "was", "were", "does",
            "did");

    private static final Set<String> CHANGING = Set.of(
            "create", "add", "new", "insert", "write", "post", "put", "send", "publish", "upload", "update", "edit",
            "set", "modify", "change", "rename", "move", "replace", "append", "delete", "remove", "clear", "drop",
            "cancel", "close", "archive", "merge", "assign", "invite", "book", "pay", "buy", "order", "start", "stop",
            "restart");

    private Intent() {}

    static boolean isQuestion(String query) {
        String start = query.strip();
        int end = 0;
        while (end < start.length() && !Character.isWhitespace(start.charAt(end))) {
            end++;
        }
        return ASKING.contains(start.substring(0, end).toLowerCase(Locale.ROOT));
    }

    /// What the tool says of itself counts; otherwise the first word of its name.
    static boolean changes(Document document) {
        return switch (document.effect()) {
            case READS -> false;
            case CHANGES -> true;
            case UNKNOWN -> {
                String name = document.name();
                int from = WordBoundaries.next(name, 0);
                int to = from < name.length() ? WordBoundaries.end(name, from) : from;
                yield CHANGING.contains(name.substring(from, to).toLowerCase(Locale.ROOT));
            }
        };
    }
}
