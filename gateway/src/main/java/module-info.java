/// The gateway that clients talk to.
@org.jspecify.annotations.NullMarked
module dev.fusebox.gateway {
    requires static org.jspecify;
    requires transitive dev.fusebox.world;

    exports dev.fusebox.gateway.http;
}
