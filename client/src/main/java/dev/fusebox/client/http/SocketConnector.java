package dev.fusebox.client.http;

import dev.fusebox.client.Deadline;
import dev.fusebox.client.FailureCategory;
import dev.fusebox.client.FailureCause;
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

/// Makes lines: looks up, checks the address, connects, goes through the proxy, and lays TLS over it. All of that
/// together takes the connect timeout at most, and none of it sends anything of a request. Thread-safe; [#dial]
/// blocks.
final class SocketConnector {
    private final Platform platform;
    private final OutboundSettings settings;
    private final DnsResolver resolver;

    SocketConnector(Platform platform, OutboundSettings settings, DnsResolver resolver) {
        this.platform = platform;
        this.settings = settings;
        this.resolver = resolver;
    }

    /// Made when it is first needed: that takes a tenth of a second, and servers nearby need none.
    private SSLContext trust(OutboundRoute route) {
        try {
            TlsTrust known = route.tlsTrust() == null ? settings.tlsTrust() : route.tlsTrust();
            return known == null ? SSLContext.getDefault() : known.context();
        } catch (NoSuchAlgorithmException never) {
            throw new IllegalStateException("this JDK has no TLS", never);
        }
    }

    private @Nullable HttpProxy proxy(HttpTarget target) {
        ProxyRules own = target.route().proxyRules();
        return (own == null ? settings.proxyRules() : own).to(target.origin());
    }

    /// @param keeper of the caller: its time may be shorter
    HttpConnection dial(HttpTarget target, RequestTimer keeper, Runnable onClosed) throws HttpFailure {
        Origin origin = target.origin();
        if (target.isForeign() && !origin.isSecure()) {
            throw HttpFailure.notSent(
                    FailureCategory.POLICY, origin + " is not https, and did not come from the operator");
        }
        Deadline deadline = new Deadline(settings.connectTimeout(), Duration.ZERO, platform.ticker());
        try (RequestTimer connecting = RequestTimer.start(platform, deadline)) {
            Attempt attempt = new Attempt(target, origin, keeper, connecting);
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

    /// One line in the making.
    private final class Attempt {
        private final HttpTarget target;
        private final Origin origin;
        private final @Nullable HttpProxy proxy;
        private final RequestTimer caller;
        private final RequestTimer connecting;

        Attempt(HttpTarget target, Origin origin, RequestTimer caller, RequestTimer connecting) {
            this.target = target;
            this.origin = origin;
            this.proxy = proxy(target);
            this.caller = caller;
            this.connecting = connecting;
            // Who ends the call ends its connecting, too.
            caller.hold(connecting::end);
        }

        TcpSocket connected() throws HttpFailure {
            Origin first = proxy == null ? origin : proxy.origin();
            boolean checked = target.isForeign() && proxy == null;
            return connect(first, allowed(first, checked));
        }

        /// All addresses, or with rules those that keep to them.
        private List<InetAddress> allowed(Origin host, boolean checked) throws HttpFailure {
            List<InetAddress> addresses = resolver.resolve(host.host(), connecting);
            List<InetAddress> allowed =
                    checked ? addresses.stream().filter(AddressPolicy::isPublic).toList() : addresses;
            if (allowed.isEmpty()) {
                throw HttpFailure.notSent(
                        FailureCategory.POLICY,
                        host + " leads into a private network, and did not come from the operator");
            }
            return allowed;
        }

        /// One after the other; none may use up the time of those that come after it.
        private TcpSocket connect(Origin to, List<InetAddress> addresses) throws HttpFailure {
            IOException last = new IOException("no address");
            for (int i = 0; i < addresses.size(); i++) {
                Duration share = Duration.ofNanos(Math.max(1, connecting.left() / (addresses.size() - i)));
                try (RequestTimer one = RequestTimer.start(platform, share)) {
                    connecting.hold(one::end);
                    return connect(new InetSocketAddress(addresses.get(i), to.port()), one);
                } catch (IOException failed) {
                    last = failed;
                }
            }
            throw failed(last);
        }

        private TcpSocket connect(InetSocketAddress address, RequestTimer one) throws IOException, HttpFailure {
            SocketChannel channel = open();
            try {
                TcpSocket tcpSocket = new TcpSocket(channel);
                one.hold(tcpSocket::close);
                channel.connect(address);
                return tcpSocket;
            } catch (IOException | RuntimeException failed) {
                channel.close();
                throw failed;
            }
        }

        /// What fails here is not the server's fault.
        private static SocketChannel open() throws HttpFailure {
            try {
                return SocketChannel.open();
            } catch (IOException none) {
                throw HttpFailure.notSent(
                        FailureCategory.LOCAL, "no socket is left to connect with: " + none.getMessage());
            }
        }

        HttpConnection.Streams streams(TcpSocket tcpSocket) throws IOException, HttpFailure {
            connecting.hold(tcpSocket::close);
            if (proxy != null) {
                pass(proxy, tcpSocket);
            }
            HttpConnection.Streams streams = origin.isSecure()
                    ? secured(tcpSocket)
                    : new HttpConnection.Streams(tcpSocket.in(), tcpSocket.out());
            if (!connecting.letGo()) {
                throw new IOException("out of time");
            }
            caller.hold(tcpSocket::close);
            return streams;
        }

        /// A foreign name is looked up here and not by the proxy, so that its address can be checked.
        private void pass(HttpProxy by, TcpSocket tcpSocket) throws IOException, HttpFailure {
            Origin goal = origin;
            if (target.isForeign()) {
                InetAddress address = allowed(origin, true).getFirst();
                connecting.hold(tcpSocket::close);
                goal = new Origin(origin.isSecure(), address.getHostAddress(), origin.port());
            }
            HttpConnection plain = new HttpConnection(
                    target, tcpSocket, new HttpConnection.Streams(tcpSocket.in(), tcpSocket.out()), () -> {});
            plain.write(by.connect(goal).getBytes(StandardCharsets.ISO_8859_1), new byte[0], () -> {});
            int status = ResponseHead.read(plain, settings.maxHeadBytes()).status();
            if (status / 100 == 4) {
                // That is between us and the proxy: it has not tried to get there.
                throw HttpFailure.notSent(
                        FailureCategory.LOCAL,
                        "the proxy " + by + " refused the way to " + origin + " (HTTP " + status + ")");
            }
            if (status / 100 != 2 || plain.hasBytes()) {
                throw new IOException("it refused the connection with HTTP " + status);
            }
        }

        private HttpConnection.Streams secured(TcpSocket tcpSocket) throws IOException {
            SSLSocket socket = (SSLSocket) trust(target.route())
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

        /// The JDK takes a certificate that is a trusted authority itself without a look at its dates.
        private static void checkDates(SSLSession session) throws SSLException {
            try {
                if (session.getPeerCertificates()[0] instanceof X509Certificate own) {
                    own.checkValidity();
                }
            } catch (CertificateException notNow) {
                String message = "the server's certificate is not valid now: " + notNow.getMessage();
                throw new SSLHandshakeException(message, notNow);
            }
        }

        HttpFailure failed(@Nullable Exception why) {
            if (caller.left() <= 0) {
                return HttpFailure.notSent(
                        FailureCategory.LOCAL, "the call's time was over before " + origin + " was connected");
            }
            if (connecting.hasStoodStill()) {
                return HttpFailure.notSent(
                        FailureCategory.LOCAL, "the gateway stood still while " + origin + " was connected");
            }
            String reason = connecting.isOver()
                    ? "no connection within " + settings.connectTimeout().toMillis() + " ms"
                    : why == null ? "no reason" : String.valueOf(why.getMessage());
            String by = proxy == null ? "" : " through the proxy " + proxy;
            HttpFailure httpFailure =
                    HttpFailure.notSent(FailureCategory.OFFLINE, "Server unreachable: " + origin + by + ": " + reason);
            FailureCause cause = connecting.isOver() ? FailureCause.CONNECT_TIMEOUT : ConnectFailure.cause(why);
            return cause == null ? httpFailure : httpFailure.by(cause);
        }
    }
}
