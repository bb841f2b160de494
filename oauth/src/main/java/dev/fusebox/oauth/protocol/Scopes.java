package dev.fusebox.oauth.protocol;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;

/// Parser of scope lists (RFC 6749, 3.3), which keeps their order and leaves out what is not a scope. Pure functions.
final class Scopes {
    static final String OFFLINE_ACCESS = "offline_access";

    /// More than any server has; a longer list is cut.
    private static final int MAX_SCOPES = 200;

    private static final int MAX_LENGTH = 256;

    private Scopes() {}

    static Set<String> parse(String list) {
        Set<String> scopes = new LinkedHashSet<>();
        int from = 0;
        while (from < list.length() && scopes.size() < MAX_SCOPES) {
            int space = list.indexOf(' ', from);
            int to = space < 0 ? list.length() : space;
            String scope = list.substring(from, to);
            if (isScope(scope)) {
                scopes.add(scope);
            }
            from = to + 1;
        }
        return Collections.unmodifiableSet(scopes);
    }

    /// The scopes among these texts.
    static Set<String> of(Collection<String> texts) {
        Set<String> scopes = new LinkedHashSet<>();
        texts.stream().filter(Scopes::isScope).limit(MAX_SCOPES).forEach(scopes::add);
        return Collections.unmodifiableSet(scopes);
    }

    private static boolean isScope(String text) {
        return !text.isEmpty()
                && text.length() <= MAX_LENGTH
                && text.chars().allMatch(c -> c > ' ' && c < 0x7F && c != '"' && c != '\\');
    }
}
