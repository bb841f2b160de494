package dev.fusebox.client.http;

import java.security.Security;

/// How long the JDK remembers that a name does not exist. Thread-safe; blocks for some milliseconds the first
/// time.
public final class NegativeDnsCache {
    /// In seconds; the JDK's own 10 would hide a recovery for too long.
    private static final String FORGET_AFTER = "3";

    private NegativeDnsCache() {}

    /// Makes that three seconds. To be called before the first name of the process is looked up, and not at each
    /// start: the JDK reads all its security properties for it, and most gateways look no name up.
    public static void forgetSoon() {
        Security.setProperty("networkaddress.cache.negative.ttl", FORGET_AFTER);
    }
}
