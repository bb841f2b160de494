/// MCP messages as bytes: strict validation, member access, splicing. No clocks, no threads, no input or output.
@org.jspecify.annotations.NullMarked
module dev.fusebox.protocol {
    requires static org.jspecify;

    exports dev.fusebox.protocol;
    exports dev.fusebox.protocol.http;
}
