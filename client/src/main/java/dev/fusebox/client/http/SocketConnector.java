package dev.fusebox.client.http;

import dev.fusebox.client.Deadline;
import dev.fusebox.client.ErrorId;
import dev.fusebox.client.FailureCategory;
import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.http.HttpProxy;
import dev.fusebox.protocol.http.Origin;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.security.NoSuchAlgorithmException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/// Factory of connections: DNS lookup, address check, TCP connect, proxy, and TLS. All of that together takes the
/// connect timeout at most, and sends nothing of a request. Thread-safe; [#connect] blocks.
final class SocketConnector {
    private final Platform platform;
    private final OutboundSettings settings;
    private final DnsResolver resolver;

    SocketConnector(Platform platform, OutboundSettings settings, DnsResolver resolver) {
        this.platform = platform;
        this.settings = settings;
        this.resolver = resolver;
    }

    /// Created on first use: that takes a tenth of a second, and local servers need none.
    private SSLContext sslContext(OutboundRoute route) {
        try {
            TlsTrust known = route.tlsTrust() == null ? settings.tlsTrust() : route.tlsTrust();
            return known == null ? SSLContext.getDefault() : known.context();
        } catch (NoSuchAlgorithmException never) {
            throw new IllegalStateException("this JDK does not support TLS", never);
        }
    }

    private @Nullable HttpProxy proxyFor(HttpTarget target) {
        ProxyRules own = target.route().proxyRules();
        return (own == null ? settings.proxyRules() : own).to(target.origin());
    }

    /// @param timer of the caller, whose deadline may be earlier
    HttpConnection connect(HttpTarget target, RequestTimer timer, Runnable onClosed) throws HttpFailure {
        Origin origin = target.origin();
        if (target.isForeign() && !origin.isSecure()) {
            throw HttpFailure.notSent(
                    FailureCategory.POLICY,
                    origin + " is not https; only addresses from the configuration may be plain http");
        }
        Deadline deadline = new Deadline(settings.connectTimeout(), Duration.ZERO, platform.ticker());
        try (RequestTimer connecting = RequestTimer.start(platform, deadline)) {
            ConnectAttempt attempt = new ConnectAttempt(target, origin, timer, connecting);
            TcpSocket tcpSocket = attempt.connected();
            try {
                return new HttpConnection(target, tcpSocket, attempt.streams(tcpSocket), onClosed);
            } catch (HttpFailure httpFailure) {
                tcpSocket.close();
                throw httpFailure;
            } catch (IOException | RuntimeException failed) {
                tcpSocket.close();
                throw attempt.failed(failed);
            }
        }
    }

    /// One attempt to connect. Not thread-safe.
    private final class ConnectAttempt {
        private final HttpTarget target;
        private final Origin origin;
        private final @Nullable HttpProxy proxy;
        private final RequestTimer caller;
        private final RequestTimer connecting;

        ConnectAttempt(HttpTarget target, Origin origin, RequestTimer caller, RequestTimer connecting) {
            this.target = target;
            this.origin = origin;
            this.proxy = proxyFor(target);
            this.caller = caller;
            this.connecting = connecting;
            // The end of the call also ends the attempt.
            caller.onExpiry(connecting::expire);
        }

        TcpSocket connected() throws HttpFailure {
            Origin first = proxy == null ? origin : proxy.origin();
            boolean checked = target.isForeign() && proxy == null;
            return connect(first, allowed(first, checked));
        }

        /// All addresses, or those that the address policy allows.
        private List<InetAddress> allowed(Origin host, boolean checked) throws HttpFailure {
            List<InetAddress> addresses = resolver.resolve(host.host(), connecting);
            List<InetAddress> allowed =
                    checked ? addresses.stream().filter(AddressPolicy::isPublic).toList() : addresses;
            if (allowed.isEmpty()) {
                throw HttpFailure.notSent(
                        FailureCategory.POLICY,
                        host + " resolves to a private network; only addresses from the configuration may");
            }
            return allowed;
        }

        /// Tries the addresses in order; none may use up the time of those after it.
        private TcpSocket connect(Origin to, List<InetAddress> addresses) throws HttpFailure {
            IOException last = new IOException("no address");
            for (int i = 0; i < addresses.size(); i++) {
                Duration share = Duration.ofNanos(Math.max(1, connecting.left() / (addresses.size() - i)));
                try (RequestTimer one = RequestTimer.start(platform, share)) {
                    connecting.onExpiry(one::expire);
                    return connect(new InetSocketAddress(addresses.get(i), to.port()), one);
                } catch (IOException failed) {
                    last = failed;
                }
            }
            throw failed(last);
        }

        private TcpSocket connect(InetSocketAddress address, RequestTimer one) throws IOException, HttpFailure {
            SocketChannel channel = openChannel();
            try {
                TcpSocket tcpSocket = new TcpSocket(channel);
                one.onExpiry(tcpSocket::close);
                channel.connect(address);
                return tcpSocket;
            } catch (IOException | RuntimeException failed) {
                channel.close();
                throw failed;
            }
        }

        /// A failure here is local, and not of the server.
        private static SocketChannel openChannel() throws HttpFailure {
            try {
                return SocketChannel.open();
            } catch (IOException none) {
                throw HttpFailure.notSent(FailureCategory.LOCAL, "cannot open a socket: " + none.getMessage());
            }
        }

        HttpConnection.Streams streams(TcpSocket tcpSocket) throws IOException, HttpFailure {
            connecting.onExpiry(tcpSocket::close);
            if (proxy != null) {
                tunnel(proxy, tcpSocket);
            }
            HttpConnection.Streams streams = origin.isSecure()
                    ? tlsStreams(tcpSocket)
                    : new HttpConnection.Streams(tcpSocket.in(), tcpSocket.out());
            if (!connecting.disarm()) {
                throw new IOException("timed out");
            }
            caller.onExpiry(tcpSocket::close);
            return streams;
        }

        /// The name of a foreign target is resolved here and not by the proxy, so that its address can be checked.
        private void tunnel(HttpProxy via, TcpSocket tcpSocket) throws IOException, HttpFailure {
            Origin goal = origin;
            if (target.isForeign()) {
                InetAddress address = allowed(origin, true).getFirst();
                connecting.onExpiry(tcpSocket::close);
                goal = new Origin(origin.isSecure(), address.getHostAddress(), origin.port());
            }
            HttpConnection plain = new HttpConnection(
                    target, tcpSocket, new HttpConnection.Streams(tcpSocket.in(), tcpSocket.out()), () -> {});
            plain.write(via.connect(goal).getBytes(StandardCharsets.ISO_8859_1), new byte[0], () -> {});
            int status = ResponseHead.read(plain, settings.maxHeadBytes()).status();
            if (status / 100 == 4) {
                // The proxy rejected the request itself, and has not tried to connect.
                throw HttpFailure.notSent(
                        FailureCategory.LOCAL,
                        "the proxy " + via + " refused to connect to " + target.shownOrigin() + " (HTTP " + status
                                + ")");
            }
            if (status / 100 != 2 || plain.hasBytes()) {
                throw new IOException("the proxy answered CONNECT with HTTP " + status);
            }
        }

        private HttpConnection.Streams tlsStreams(TcpSocket tcpSocket) throws IOException {
            SSLSocket socket = (SSLSocket) sslContext(target.route())
                    .getSocketFactory()
                    .createSocket(new TlsSocketAdapter(tcpSocket), origin.host(), origin.port(), true);
            SSLParameters parameters = socket.getSSLParameters();
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            parameters.setApplicationProtocols(new String[] {"http/1.1"});
            socket.setSSLParameters(parameters);
            socket.startHandshake();
            checkDates(socket.getSession());
            return new HttpConnection.Streams(socket.getInputStream(), socket.getOutputStream());
        }

        /// The JDK does not check the dates of a certificate that is itself a trusted authority.
        private static void checkDates(SSLSession session) throws SSLException {
            try {
                if (session.getPeerCertificates()[0] instanceof X509Certificate own) {
                    own.checkValidity();
                }
            } catch (CertificateException notNow) {
                String message = "the server certificate is expired or not yet valid: " + notNow.getMessage();
                throw new SSLHandshakeException(message, notNow);
            }
        }

        HttpFailure failed(@Nullable Exception why) {
            if (caller.left() <= 0) {
                return HttpFailure.notSent(
                        FailureCategory.LOCAL, "the call timed out while connecting to " + target.shownOrigin());
            }
            if (connecting.wasSuspended()) {
                return HttpFailure.notSent(
                        FailureCategory.LOCAL,
                        "the gateway process was suspended while connecting to " + target.shownOrigin());
            }
            String reason = connecting.isExpired()
                    ? "connect timed out after " + settings.connectTimeout().toMillis() + " ms"
                    : why == null ? "unknown error" : String.valueOf(why.getMessage());
            String by = proxy == null ? "" : " through the proxy " + proxy;
            ErrorId id = connecting.isExpired() ? ErrorId.CONNECT_TIMEOUT : ConnectFailure.errorId(why);
            return HttpFailure.of(id, "Server unreachable: " + target.shownOrigin() + by + ": " + reason);
        }
    }
}
