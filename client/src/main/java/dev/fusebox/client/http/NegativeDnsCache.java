package dev.fusebox.client.http;

import java.security.Security;

/// Setting of how long the JDK caches failed DNS lookups. Thread-safe; blocks for some milliseconds the first
/// time.
public final class NegativeDnsCache {
    /// The default of the JDK, 10, would hide a recovery for too long.
    private static final String SECONDS = "3";

    private NegativeDnsCache() {}

    /// Sets it to three seconds. Must be called before the first lookup of the process, and not at startup: the
    /// JDK reads all its security properties for it, and most gateways resolve no name.
    public static void shorten() {
        Security.setProperty("networkaddress.cache.negative.ttl", SECONDS);
    }
}
