/// Execution of scripts that models write, in isolated processes.
@org.jspecify.annotations.NullMarked
module dev.fusebox.sandbox {
    requires transitive dev.fusebox.client;
    requires transitive dev.fusebox.protocol;
    requires transitive dev.fusebox.platform;
    requires static org.jspecify;

    exports dev.fusebox.sandbox;
}
