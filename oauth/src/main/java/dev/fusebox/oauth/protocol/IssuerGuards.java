package dev.fusebox.oauth.protocol;

import dev.fusebox.platform.Platform;
import java.util.LinkedHashMap;
import java.util.Map;

/// The guards of all authorization servers that this process has requests for. Thread-safe; nothing blocks.
final class IssuerGuards {
    /// MCP servers choose the names, so the least recently used ones are dropped.
    private static final int MAX_GUARDS = 256;

    private final Platform platform;
    private final Map<String, IssuerGuard> guards = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, IssuerGuard> eldest) {
            return size() > MAX_GUARDS;
        }
    };

    IssuerGuards(Platform platform) {
        this.platform = platform;
    }

    synchronized IssuerGuard of(String issuer) {
        return guards.computeIfAbsent(issuer, name -> new IssuerGuard(platform, name));
    }
}
