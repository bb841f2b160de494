package dev.fusebox.gateway.front;

import dev.fusebox.gateway.era.GatewayService;

/// A path of Streamable HTTP, and what is served there. Immutable.
///
/// @param path as in requests; sessions are valid only at the path where they began
record McpPath(String path, GatewayService service) {
    /// Where everything is served.
    static final String ALL = "/mcp";

    /// The prefix of the paths of profiles.
    static final String PROFILES = "/mcp/p/";

    static McpPath all(GatewayService service) {
        return new McpPath(ALL, service);
    }

    static McpPath ofProfile(String name, GatewayService service) {
        return new McpPath(PROFILES + name, service);
    }

    static boolean isOfProfile(String path) {
        return path.startsWith(PROFILES);
    }
}
