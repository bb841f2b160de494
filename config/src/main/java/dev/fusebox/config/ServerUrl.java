package dev.fusebox.config;

import dev.fusebox.protocol.http.Origin;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;

/// The URL of a server, by the transport of its scheme. Immutable.
sealed interface ServerUrl {
    /// The longest path that the system takes for a socket; one byte of 108 ends it.
    int MAX_SOCKET_PATH_BYTES = 107;

    String TCP_FORM = "the URL must be tcp://host:port, and nothing else";
    String UNIX_FORM = "the URL must be unix:/path, with an absolute path";

    /// Streamable HTTP, or HTTP with SSE.
    record Http(URI uri) implements ServerUrl {}

    /// WebSocket.
    ///
    /// @param uri of the upgrade request: http or https
    record WebSocket(URI uri) implements ServerUrl {}

    /// A connection over TCP.
    ///
    /// @param uri with a host and a port
    record Tcp(URI uri) implements ServerUrl {}

    /// A connection to a Unix socket.
    ///
    /// @param path absolute
    record Unix(Path path) implements ServerUrl {}

    /// Parses a URL.
    ///
    /// @throws IllegalArgumentException if the gateway cannot use the URL, with the reason
    /// @throws URISyntaxException if the text is no URL; its message shows the whole text
    static ServerUrl parse(String text) throws URISyntaxException {
        requireMore(text);
        URI uri = new URI(text);
        String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
        return switch (scheme) {
            case "ws" -> webSocket("http", uri);
            case "wss" -> webSocket("https", uri);
            case "tcp" -> tcp(uri);
            case "unix" -> unix(uri);
            case "http", "https" -> {
                Origin.require(uri);
                yield new Http(uri);
            }
            default ->
                throw new IllegalArgumentException(
                        "the URL must begin with http://, https://, ws://, wss://, tcp:// or unix:/");
        };
    }

    /// Rejects a URL that ends where its host or path should begin.
    private static void requireMore(String text) {
        String lower = text.toLowerCase(Locale.ROOT);
        if (lower.equals("unix:")) {
            throw new IllegalArgumentException(UNIX_FORM);
        }
        if (lower.equals("tcp://")) {
            throw new IllegalArgumentException(TCP_FORM);
        }
        if (lower.matches("(http|ws)s?://")) {
            throw new IllegalArgumentException("the URL has no host");
        }
    }

    private static ServerUrl webSocket(String scheme, URI uri) {
        if (uri.getRawFragment() != null) {
            throw new IllegalArgumentException("a WebSocket URL has no fragment (#...)");
        }
        URI request =
                URI.create(scheme + uri.toString().substring(uri.getScheme().length()));
        if (Origin.of(request) == null) {
            throw new IllegalArgumentException("the URL must be ws:// or wss://, with a host and without a user name");
        }
        return new WebSocket(request);
    }

    private static ServerUrl tcp(URI uri) {
        boolean isBare = uri.getRawUserInfo() == null
                && uri.getRawQuery() == null
                && uri.getRawFragment() == null
                && (uri.getRawPath() == null || uri.getRawPath().length() <= 1);
        if (uri.getHost() == null || !isBare) {
            throw new IllegalArgumentException(TCP_FORM);
        }
        if (uri.getPort() < 1 || uri.getPort() > 65_535) {
            throw new IllegalArgumentException("the URL has no port from 1 to 65535; it must be tcp://host:port");
        }
        return new Tcp(URI.create("tcp://" + uri.getRawAuthority()));
    }

    private static ServerUrl unix(URI uri) {
        String path = uri.getPath();
        if (path == null || !path.startsWith("/") || uri.getRawAuthority() != null) {
            throw new IllegalArgumentException(UNIX_FORM);
        }
        if (uri.getRawQuery() != null || uri.getRawFragment() != null) {
            throw new IllegalArgumentException(
                    "the path of a socket has no query and no fragment; write ? and # as" + " %3F and %23");
        }
        if (path.getBytes(StandardCharsets.UTF_8).length > MAX_SOCKET_PATH_BYTES) {
            throw new IllegalArgumentException(
                    "the path of a socket can have " + MAX_SOCKET_PATH_BYTES + " bytes at most");
        }
        return new Unix(Path.of(path));
    }
}
