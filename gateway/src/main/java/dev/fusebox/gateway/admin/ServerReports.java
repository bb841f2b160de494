package dev.fusebox.gateway.admin;

import java.util.List;

/// The reports of all servers. Thread-safe; nothing blocks.
@FunctionalInterface
public interface ServerReports {
    /// The current reports, in the order of the configuration.
    List<ServerReport> reports();
}
