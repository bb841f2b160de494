package dev.fusebox.config;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// A profile: the part of a configuration that some clients see. Immutable.
///
/// @param servers the ids of its servers; null for all
/// @param tools those of their tools that it has
/// @param expose what clients see of them; null for what the configuration says
public record ProfileConfig(
        @Nullable List<String> servers,
        VisibleTools tools,
        @Nullable Expose expose) {
    /// In which nothing is seen.
    public static final ProfileConfig NOTHING = new ProfileConfig(List.of(), VisibleTools.ALL, null);

    public ProfileConfig {
        servers = servers == null ? null : List.copyOf(servers);
    }

    /// Whether it has this server.
    boolean has(String server) {
        return servers == null || servers.contains(server);
    }
}
