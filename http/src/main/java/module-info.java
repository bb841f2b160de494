/// The HTTP server of the gateway: strict about what it reads, and it notices a client that leaves.
@org.jspecify.annotations.NullMarked
module dev.fusebox.http {
    requires transitive dev.fusebox.platform;
    requires static org.jspecify;

    exports dev.fusebox.http;
}
