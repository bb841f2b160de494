package dev.fusebox.gateway.config;

import java.util.List;

/// How a server is spoken to, as its `type` says.
enum TransportType {
    STDIO("stdio"),
    /// Streamable HTTP, under the names that clients have for it.
    HTTP("http", "streamable-http", "streamableHttp"),
    /// HTTP with server-sent events, of revision 2024-11-05.
    SSE("sse");

    private final List<String> words;

    TransportType(String... words) {
        this.words = List.of(words);
    }

    List<String> words() {
        return words;
    }
}
