package dev.fusebox.gateway;

import dev.fusebox.http.HttpHandler;
import dev.fusebox.http.HttpHeaders;
import dev.fusebox.http.HttpServer;
import dev.fusebox.http.HttpSettings;
import dev.fusebox.oauth.login.OneTimeLinks;
import dev.fusebox.platform.Platform;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/// The pages that lead users of clients to logins, at the port of the gateway if it listens on 127.0.0.1,
/// otherwise at a loopback port that is opened for the first of them. Nothing of module `oauth` is loaded before
/// that. Thread-safe; [#add] blocks while a port is opened, and [#close] for a moment.
final class LoginPages implements AutoCloseable {
    private static final String HOST = "127.0.0.1";
    private static final byte[] NOTHING = new byte[0];

    private final Platform platform;
    private @Nullable OneTimeLinks links;
    private @Nullable HttpServer own;

    /// Zero as long as there is none.
    private int port;

    private boolean isClosed;

    LoginPages(Platform platform) {
        this.platform = platform;
    }

    /// A handler with these pages before another one.
    HttpHandler before(HttpHandler rest) {
        return (request, reply) -> {
            if (request.path().startsWith(OneTimeLinks.PATH)) {
                links().handle(request, reply);
            } else {
                rest.handle(request, reply);
            }
        };
    }

    private synchronized OneTimeLinks links() {
        OneTimeLinks known = links;
        if (known == null) {
            known = new OneTimeLinks(platform);
            links = known;
        }
        return known;
    }

    /// The handler is part of an HTTP server at this address.
    synchronized void servedAt(InetAddress host, int frontPort) {
        if (host.getHostAddress().equals(HOST)) {
            port = frontPort;
        }
    }

    /// Makes a page that works once.
    ///
    /// @param target of the redirect
    /// @param host of the server
    URI add(URI target, String server, String host) throws IOException {
        return URI.create("http://" + HOST + ":" + port() + links().add(target, server, host));
    }

    private synchronized int port() throws IOException {
        if (isClosed) {
            throw new IOException("the gateway is shutting down");
        }
        if (port == 0) {
            HttpHandler nothing = (request, reply) -> reply.respond(404, HttpHeaders.none(), NOTHING);
            own = HttpServer.open(HttpSettings.loopback(0), before(nothing), platform);
            port = own.port();
        }
        return port;
    }

    /// Ends a page that was not used.
    void remove(URI page) {
        links().remove(page.getPath());
    }

    @Override
    public void close() {
        HttpServer opened;
        synchronized (this) {
            isClosed = true;
            opened = own;
        }
        if (opened != null) {
            opened.close();
        }
    }
}
