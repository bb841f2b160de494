package dev.fusebox.gateway.stateless;

/// Which era a server is spoken to in.
public enum EraPolicy {
    /// With a handshake, up to revision 2025-11-25.
    LEGACY,
    /// Whichever it turns out to speak.
    AUTO,
    /// Without one, from revision 2026-07-28 on.
    MODERN
}
