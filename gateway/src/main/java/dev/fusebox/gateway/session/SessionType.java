package dev.fusebox.gateway.session;

/// The transport and the protocol era of a connected client. Requests of the modern era over HTTP belong to no
/// session.
public enum SessionType {
    STDIO_LEGACY("stdio", "legacy"),
    STDIO_MODERN("stdio", "modern"),
    HTTP_LEGACY("http", "legacy"),
    SSE_LEGACY("sse", "legacy");

    private final String transport;
    private final String era;

    SessionType(String transport, String era) {
        this.transport = transport;
        this.era = era;
    }

    /// `stdio`, `http` (Streamable HTTP) or `sse` (HTTP with server-sent events, revision 2024-11-05).
    public String transport() {
        return transport;
    }

    /// `legacy` (with `initialize`) or `modern` (without).
    public String era() {
        return era;
    }
}
