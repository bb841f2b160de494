package dev.fusebox.gateway.admin;

import java.util.List;

/// All servers of the gateway. Thread-safe; nothing blocks.
@FunctionalInterface
public interface ServerReports {
    /// At this moment, in the order of the configuration.
    List<ServerReport> reports();
}
