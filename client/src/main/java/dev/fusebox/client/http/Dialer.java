package dev.fusebox.client.http;

import dev.fusebox.client.FailureCategory;
import dev.fusebox.client.FailureCause;
import dev.fusebox.client.Patience;
import dev.fusebox.world.World;
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
final class Dialer {
    private final World world;
    private final OutboundSettings settings;
    private final Resolver resolver;

    Dialer(World world, OutboundSettings settings, Resolver resolver) {
        this.world = world;
        this.settings = settings;
        this.resolver = resolver;
    }

    /// Made when it is first needed: that takes a tenth of a second, and servers nearby need none.
    private SSLContext trust(Route route) {
        try {
            Trust known = route.trust() == null ? settings.trust() : route.trust();
            return known == null ? SSLContext.getDefault() : known.context();
        } catch (NoSuchAlgorithmException never) {
            throw new IllegalStateException("this JDK has no TLS", never);
        }
    }

    private @Nullable Proxy proxy(HttpTarget target) {
        Proxies own = target.route().proxies();
        return (own == null ? settings.proxies() : own).to(target.origin());
    }

    /// @param keeper of the caller: its time may be shorter
    Line dial(HttpTarget target, Timekeeper keeper, Runnable onClosed) throws Trouble {
        Origin origin = target.origin();
        if (target.isForeign() && !origin.isSecure()) {
            throw Trouble.notSent(FailureCategory.POLICY, origin + " is not https, and did not come from the operator");
        }
        Patience patience = new Patience(settings.connectTimeout(), Duration.ZERO, world.ticker());
        try (Timekeeper connecting = Timekeeper.start(world, patience)) {
            Attempt attempt = new Attempt(target, origin, keeper, connecting);
            Cable cable = attempt.connected();
            try {
                return new Line(target, cable, attempt.streams(cable), onClosed);
            } catch (Trouble trouble) {
                cable.close();
                throw trouble;
            } catch (IOException | RuntimeException failed) {
                cable.close();
                throw attempt.failed(failed);
            }
        }
    }

    /// One line in the making.
    private final class Attempt {
        private final HttpTarget target;
        private final Origin origin;
        private final @Nullable Proxy proxy;
        private final Timekeeper caller;
        private final Timekeeper connecting;

        Attempt(HttpTarget target, Origin origin, Timekeeper caller, Timekeeper connecting) {
            this.target = target;
            this.origin = origin;
            this.proxy = proxy(target);
            this.caller = caller;
            this.connecting = connecting;
            // Who ends the call ends its connecting, too.
            caller.hold(connecting::end);
        }

        Cable connected() throws Trouble {
            Origin first = proxy == null ? origin : proxy.origin();
            boolean checked = target.isForeign() && proxy == null;
            return connect(first, allowed(first, checked));
        }

        /// All addresses, or with rules those that keep to them.
        private List<InetAddress> allowed(Origin host, boolean checked) throws Trouble {
            List<InetAddress> addresses = resolver.resolve(host.host(), connecting);
            List<InetAddress> allowed =
                    checked ? addresses.stream().filter(AddressPolicy::isPublic).toList() : addresses;
            if (allowed.isEmpty()) {
                throw Trouble.notSent(
                        FailureCategory.POLICY,
                        host + " leads into a private network, and did not come from the operator");
            }
            return allowed;
        }

        /// One after the other; none may use up the time of those that come after it.
        private Cable connect(Origin to, List<InetAddress> addresses) throws Trouble {
            IOException last = new IOException("no address");
            for (int i = 0; i < addresses.size(); i++) {
                Duration share = Duration.ofNanos(Math.max(1, connecting.left() / (addresses.size() - i)));
                try (Timekeeper one = Timekeeper.start(world, share)) {
                    connecting.hold(one::end);
                    return connect(new InetSocketAddress(addresses.get(i), to.port()), one);
                } catch (IOException failed) {
                    last = failed;
                }
            }
            throw failed(last);
        }

        private Cable connect(InetSocketAddress address, Timekeeper one) throws IOException, Trouble {
            SocketChannel channel = open();
            try {
                Cable cable = new Cable(channel);
                one.hold(cable::close);
                channel.connect(address);
                return cable;
            } catch (IOException | RuntimeException failed) {
                channel.close();
                throw failed;
            }
        }

        /// What fails here is not the server's fault.
        private static SocketChannel open() throws Trouble {
            try {
                return SocketChannel.open();
            } catch (IOException none) {
                throw Trouble.notSent(FailureCategory.LOCAL, "no socket is left to connect with: " + none.getMessage());
            }
        }

        Line.Streams streams(Cable cable) throws IOException, Trouble {
            connecting.hold(cable::close);
            if (proxy != null) {
                pass(proxy, cable);
            }
            Line.Streams streams = origin.isSecure() ? secured(cable) : new Line.Streams(cable.in(), cable.out());
            if (!connecting.letGo()) {
                throw new IOException("out of time");
            }
            caller.hold(cable::close);
            return streams;
        }

        /// A foreign name is looked up here and not by the proxy, so that its address can be checked.
        private void pass(Proxy by, Cable cable) throws IOException, Trouble {
            Origin goal = origin;
            if (target.isForeign()) {
                InetAddress address = allowed(origin, true).getFirst();
                connecting.hold(cable::close);
                goal = new Origin(origin.isSecure(), address.getHostAddress(), origin.port());
            }
            Line plain = new Line(target, cable, new Line.Streams(cable.in(), cable.out()), () -> {});
            plain.write(by.connect(goal).getBytes(StandardCharsets.ISO_8859_1), new byte[0], () -> {});
            int status = Head.read(plain, settings.maxHeadBytes()).status();
            if (status / 100 == 4) {
                // That is between us and the proxy: it has not tried to get there.
                throw Trouble.notSent(
                        FailureCategory.LOCAL,
                        "the proxy " + by + " refused the way to " + origin + " (HTTP " + status + ")");
            }
            if (status / 100 != 2 || plain.hasBytes()) {
                throw new IOException("it refused the connection with HTTP " + status);
            }
        }

        private Line.Streams secured(Cable cable) throws IOException {
            SSLSocket socket = (SSLSocket) trust(target.route())
                    .getSocketFactory()
                    .createSocket(new Tube(cable), origin.host(), origin.port(), true);
            SSLParameters parameters = socket.getSSLParameters();
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            parameters.setApplicationProtocols(new String[] {"http/1.1"});
            socket.setSSLParameters(parameters);
            socket.startHandshake();
            checkDates(socket.getSession());
            return new Line.Streams(socket.getInputStream(), socket.getOutputStream());
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

        Trouble failed(@Nullable Exception why) {
            if (caller.left() <= 0) {
                return Trouble.notSent(
                        FailureCategory.LOCAL, "the call's time was over before " + origin + " was connected");
            }
            if (connecting.hasStoodStill()) {
                return Trouble.notSent(
                        FailureCategory.LOCAL, "the gateway stood still while " + origin + " was connected");
            }
            String reason = connecting.isOver()
                    ? "no connection within " + settings.connectTimeout().toMillis() + " ms"
                    : why == null ? "no reason" : String.valueOf(why.getMessage());
            String by = proxy == null ? "" : " through the proxy " + proxy;
            Trouble trouble =
                    Trouble.notSent(FailureCategory.OFFLINE, "Server unreachable: " + origin + by + ": " + reason);
            FailureCause cause = connecting.isOver() ? FailureCause.CONNECT_TIMEOUT : Dialled.cause(why);
            return cause == null ? trouble : trouble.by(cause);
        }
    }
}
