/// A hand-moved clock and a seeded simulation, for tests of code that takes its time from a `Platform`; and the other
/// side of the wire for tests of whatever talks to servers.
@org.jspecify.annotations.NullMarked
module dev.fusebox.testkit {
    requires static org.jspecify;
    requires transitive dev.fusebox.platform;
    requires dev.fusebox.protocol;
    requires jdk.httpserver;

    exports dev.fusebox.testkit;
    exports dev.fusebox.testkit.server;
}
