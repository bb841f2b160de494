package dev.fusebox.config;

/// What clients see of the servers.
public enum Expose {
    /// The gateway's own tools, which find and call those of servers.
    META,
    /// The tools, resources and prompts of every server, as `server__tool`.
    PROXY,
    /// The two together.
    BOTH;

    /// Whether all that servers have is seen.
    public boolean hasServers() {
        return this != META;
    }

    /// Whether the gateway's own tools are.
    public boolean hasOwn() {
        return this != PROXY;
    }
}
