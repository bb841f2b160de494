package dev.fusebox.config;

import java.time.Duration;

/// Whether the clients of one configuration file share a gateway. Immutable.
///
/// @param mode whether they do
/// @param isStated whether the file says so, and it is not the default
/// @param idle how long a shared gateway stays after its last client has left
public record ShareConfig(Mode mode, boolean isStated, Duration idle) {
    /// Whether clients over standard input and output share a gateway.
    public enum Mode {
        /// Those that use the same file.
        AUTO,
        /// Each has a gateway of its own.
        OFF
    }
}
