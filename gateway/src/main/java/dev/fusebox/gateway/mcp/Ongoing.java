package dev.fusebox.gateway.mcp;

import dev.fusebox.client.Patience;

/// A request of the client that is being worked on.
record Ongoing(Patience patience, Outlet outlet) {}
