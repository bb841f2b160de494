package dev.fusebox.config;

import java.util.List;

/// Which protocol extensions the gateway supports. Immutable.
///
/// @param passed identifiers of those that pass unchanged
/// @param listsApps whether clients that render apps see the tools with apps where they see no other tools of servers
public record ExtensionConfig(List<String> passed, boolean listsApps) {
    public ExtensionConfig {
        passed = List.copyOf(passed);
    }
}
