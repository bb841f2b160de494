/// A manual clock and a seeded simulation, for tests of code that takes its time from a `Platform`.
@org.jspecify.annotations.NullMarked
module dev.fusebox.testkit {
    requires static org.jspecify;
    requires transitive dev.fusebox.platform;

    exports dev.fusebox.testkit;
}
