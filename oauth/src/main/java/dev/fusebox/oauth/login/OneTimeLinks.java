package dev.fusebox.oauth.login;

import dev.fusebox.http.HttpHeaders;
import dev.fusebox.http.HttpMethod;
import dev.fusebox.http.HttpReply;
import dev.fusebox.http.HttpRequest;
import dev.fusebox.platform.Platform;
import dev.fusebox.platform.SecretIds;
import dev.fusebox.protocol.HeaderValueEncoding;
import java.net.IDN;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// Links to login pages that a client shows to its user: `/login/ID` shows server and host, and its only link,
/// `/login/ID/go`, redirects to the authorization server. Each works once, for ten minutes, and from this machine.
/// Thread-safe; [#handle] blocks as [HttpReply#respond] does.
///
/// The page itself does not use up the link, so a program that reads the address in advance does no harm.
public final class OneTimeLinks {
    /// The path that all links begin with.
    public static final String PATH = "/login/";

    private static final List<String> TRACES_OF_PROXIES =
            List.of("forwarded", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip", "via");

    private static final String GO = "/go";
    private static final Duration LIFETIME = LoginLimits.PERSON;
    /// A user has few logins at a time; the oldest link makes room.
    private static final int MAX_LINKS = 100;

    private static final int ID_LONGS = 4;
    private static final String UNREADABLE = "unreadable host";

    private final Platform platform;
    private final RandomGenerator random;
    private final Map<String, Link> links = new LinkedHashMap<>();

    public OneTimeLinks(Platform platform) {
        this.platform = platform;
        this.random = SecretIds.system();
    }

    /// @param bornAt by the monotonic clock
    private record Link(URI target, String server, String host, long bornAt) {
        @Override
        public String toString() {
            return "Link[" + server + "]";
        }
    }

    /// Makes a link; returns its path.
    ///
    /// @param target of the redirect
    /// @param host of the server
    public synchronized String add(URI target, String server, String host) {
        ByteBuffer bytes = ByteBuffer.allocate(ID_LONGS * Long.BYTES);
        for (int i = 0; i < ID_LONGS; i++) {
            bytes.putLong(random.nextLong());
        }
        String id = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes.array());
        removeExpired();
        if (links.size() >= MAX_LINKS) {
            links.remove(links.keySet().iterator().next());
        }
        links.put(id, new Link(target, server, host, platform.ticker().nanos()));
        return PATH + id;
    }

    /// Ends a link that was not used.
    public synchronized void remove(String path) {
        links.remove(path.substring(PATH.length()));
    }

    private void removeExpired() {
        long now = platform.ticker().nanos();
        links.values().removeIf(link -> now - link.bornAt() >= LIFETIME.toNanos());
    }

    private synchronized @Nullable Link find(String id) {
        removeExpired();
        return links.get(id);
    }

    private synchronized @Nullable Link take(String id) {
        removeExpired();
        return links.remove(id);
    }

    /// A host in letters that cannot be mistaken for others.
    public static String plain(String host) {
        try {
            String ascii = IDN.toASCII(host).toLowerCase(Locale.ROOT);
            return HeaderValueEncoding.isVisible(ascii) ? ascii : UNREADABLE;
        } catch (IllegalArgumentException noName) {
            return UNREADABLE;
        }
    }

    // ---- Requests

    /// Answers a request whose path begins with [#PATH].
    public void handle(HttpRequest request, HttpReply reply) {
        String id = request.path().substring(PATH.length());
        if (!isLocal(request)) {
            LoginPage.of(403, "Refused", "This link works on the machine of the gateway only.")
                    .send(reply);
        } else if (request.method() != HttpMethod.GET) {
            LoginPage.of(405, "Not possible", "This address is opened by a browser.")
                    .send(reply);
        } else if (id.endsWith(GO)) {
            follow(id.substring(0, id.length() - GO.length()), request.headers(), reply);
        } else {
            show(id, reply);
        }
    }

    /// A proxy on this machine forwards requests of others.
    private static boolean isLocal(HttpRequest request) {
        HttpHeaders headers = request.headers();
        return TRACES_OF_PROXIES.stream().allMatch(name -> headers.value(name) == null)
                && request.remote() instanceof InetSocketAddress remote
                && remote.getAddress() != null
                && remote.getAddress().isLoopbackAddress();
    }

    private void show(String id, HttpReply reply) {
        Link link = find(id);
        if (link == null) {
            unknown(reply);
            return;
        }
        String target = link.target().getHost();
        LoginPage.of(
                        200,
                        "Log in to " + link.server(),
                        "Fusebox asks for a login to the MCP server " + link.server() + " at " + plain(link.host())
                                + ". The login page is at "
                                + (target == null ? "an unknown host" : plain(target))
                                + ". Go on only if you have just asked for this.")
                .withLink(PATH + id + GO, "Go to the login page")
                .send(reply);
    }

    /// Browsers mark what they load in advance, and what is not a navigation.
    private void follow(String id, HttpHeaders headers, HttpReply reply) {
        String mode = headers.value("sec-fetch-mode");
        String site = headers.value("sec-fetch-site");
        boolean isByPerson = headers.value("sec-purpose") == null
                && headers.value("purpose") == null
                && headers.value("origin") == null
                && (mode == null || mode.equals("navigate"))
                && (site == null || site.equals("same-origin") || site.equals("none"));
        if (!isByPerson) {
            LoginPage.of(403, "Refused", "Only a click on the page of this link begins the login.")
                    .send(reply);
            return;
        }
        Link link = take(id);
        if (link == null) {
            unknown(reply);
        } else {
            LoginPage.redirect(link.target(), reply);
        }
    }

    private static void unknown(HttpReply reply) {
        LoginPage.of(404, "Link not valid", "This link was used, is older than ten minutes, or never existed.")
                .send(reply);
    }
}
