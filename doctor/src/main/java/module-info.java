/// Diagnostics of configuration and servers.
@org.jspecify.annotations.NullMarked
module dev.fusebox.doctor {
    requires transitive dev.fusebox.gateway;
    requires static org.jspecify;

    exports dev.fusebox.doctor;
}
