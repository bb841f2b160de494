package dev.fusebox.gateway.stateless;

/// Somebody who stays for longer than a request, and may have servers of its own meanwhile. Thread-safe; nothing
/// blocks.
public interface Guest {
    /// Whether it is still there. Who leaves says so here first, and everywhere else after that.
    boolean isHere();

    /// Whether it is a client of the session era: a process of its own speaks that era, too, if it can.
    default boolean isOfSessionEra() {
        return false;
    }
}
