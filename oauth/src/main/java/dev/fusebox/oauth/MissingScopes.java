package dev.fusebox.oauth;

import dev.fusebox.oauth.token.TokenRecord;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// The scopes that the tools of one server need and its login lacks, as the server has said. A later login makes
/// what was said before void. Thread-safe; nothing blocks.
final class MissingScopes {
    /// A server that rejects more tools than this is not remembered in full.
    private static final int MAX_TOOLS = 1_000;

    private final Map<String, Missing> byTool = new ConcurrentHashMap<>();

    /// @param login when the login was made whose token the server has rejected
    private record Missing(Instant login, Set<String> scopes) {}

    /// @param current the login; null if there is none
    void add(String tool, Set<String> scopes, @Nullable TokenRecord current) {
        if (byTool.size() < MAX_TOOLS || byTool.containsKey(tool)) {
            byTool.put(tool, new Missing(time(current), Set.copyOf(scopes)));
        }
    }

    /// The missing scopes by tool.
    ///
    /// @param current the login; null if there is none
    Map<String, Set<String>> of(@Nullable TokenRecord current) {
        Instant login = time(current);
        byTool.values().removeIf(missing -> !missing.login().equals(login));
        Map<String, Set<String>> scopes = new TreeMap<>();
        byTool.forEach((tool, missing) -> scopes.put(tool, new TreeSet<>(missing.scopes())));
        return scopes;
    }

    private static Instant time(@Nullable TokenRecord current) {
        return current == null ? Instant.EPOCH : current.grant().at();
    }
}
