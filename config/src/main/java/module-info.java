/// The configuration of the gateway: plain records, the reader of the file, and editors for this file and for the
/// files of MCP clients.
@org.jspecify.annotations.NullMarked
module dev.fusebox.config {
    requires dev.fusebox.platform;
    requires transitive dev.fusebox.protocol;
    requires static org.jspecify;

    exports dev.fusebox.config;
    exports dev.fusebox.config.edit;
}
