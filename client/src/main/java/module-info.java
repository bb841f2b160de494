/// Connections to MCP servers: transports, child processes, and the call pipeline.
@org.jspecify.annotations.NullMarked
module dev.fusebox.client {
    requires transitive dev.fusebox.breaker;
    requires transitive dev.fusebox.protocol;
    requires transitive dev.fusebox.platform;
    requires static org.jspecify;

    exports dev.fusebox.client;
    exports dev.fusebox.client.framing;
    exports dev.fusebox.client.http;
    exports dev.fusebox.client.resilience;
    exports dev.fusebox.client.process;
    exports dev.fusebox.client.redaction;
    exports dev.fusebox.client.stream;
    exports dev.fusebox.client.websocket;
}
