/// A manual clock and a seeded simulation, for tests of code that takes its time from a `Platform`; and scripted
/// MCP servers for tests of clients and gateways.
@org.jspecify.annotations.NullMarked
module dev.fusebox.testkit {
    requires static org.jspecify;
    requires transitive dev.fusebox.platform;
    requires dev.fusebox.protocol;
    requires jdk.httpserver;

    exports dev.fusebox.testkit;
    exports dev.fusebox.testkit.server;
}
