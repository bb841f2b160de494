/// The HTTP server of the gateway: strict about its input, and able to detect disconnects.
@org.jspecify.annotations.NullMarked
module dev.fusebox.http {
    requires transitive dev.fusebox.platform;
    requires static org.jspecify;

    exports dev.fusebox.http;
}
