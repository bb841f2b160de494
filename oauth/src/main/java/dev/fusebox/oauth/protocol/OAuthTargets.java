package dev.fusebox.oauth.protocol;

import dev.fusebox.client.http.HttpTarget;
import dev.fusebox.client.http.OutboundRoute;
import dev.fusebox.protocol.http.Origin;
import java.net.URI;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Address rule for all URLs of a login: the origins of the server and of the configured issuer are the operator's
/// own, and so is this machine if the server is on it. All other URLs come from servers: only https at public
/// addresses. Immutable; nothing blocks.
final class OAuthTargets {
    /// More than any URL of a metadata document has.
    private static final int MAX_LENGTH = 2_048;

    private static final int MAX_SHOWN = 200;

    private final Set<Origin> own;
    private final boolean isHere;
    private final OutboundRoute route;

    private OAuthTargets(Set<Origin> own, boolean isHere, OutboundRoute route) {
        this.own = own;
        this.isHere = isHere;
        this.route = route;
    }

    static OAuthTargets of(LoginSettings settings) {
        Set<Origin> own = new HashSet<>();
        Origin server = Origin.of(settings.serverUrl());
        if (server != null) {
            own.add(server);
        }
        Origin issuer = settings.issuer() == null ? null : originOf(settings.issuer());
        if (issuer != null) {
            own.add(issuer);
        }
        return new OAuthTargets(own, server != null && server.isHere(), settings.route());
    }

    private static @Nullable Origin originOf(String url) {
        try {
            return Origin.of(parse(url));
        } catch (InvalidMetadata unusable) {
            return null;
        }
    }

    /// The URL in this text: http or https, without a user and a fragment. Only ASCII, since other characters may look
    /// like another host or be invisible in messages.
    static URI parse(String url) throws InvalidMetadata {
        if (url.length() > MAX_LENGTH) {
            throw new InvalidMetadata("a URL has more than " + MAX_LENGTH + " characters");
        }
        if (!url.chars().allMatch(c -> c < 0x80)) {
            throw new InvalidMetadata("a URL has characters beyond ASCII");
        }
        try {
            URI uri = URI.create(url);
            if (Origin.of(uri) == null || uri.getRawFragment() != null) {
                throw new InvalidMetadata("a URL is not http:// or https:// with a host, or has a user or a fragment");
            }
            return uri;
        } catch (IllegalArgumentException noUrl) {
            throw new InvalidMetadata("a URL is not valid");
        }
    }

    HttpTarget target(String url) throws InvalidMetadata {
        return target(parse(url));
    }

    /// The target for a URL.
    ///
    /// @throws InvalidMetadata if the address rule forbids it
    HttpTarget target(URI uri) throws InvalidMetadata {
        HttpTarget target = HttpTarget.of(uri).by(route);
        Origin origin = Origin.require(uri);
        if (own.contains(origin) || (isHere && origin.isHere())) {
            return target;
        }
        HttpTarget foreign = target.asForeign();
        if (foreign.isForbidden()) {
            throw new InvalidMetadata("the URL " + shown(uri) + " is not allowed: only https at a public address is;"
                    + " if it belongs to your own authorization server, set oauth.issuer to that server");
        }
        return foreign;
    }

    /// A URL for people: without its query, which may be secret, and not too long.
    static String shown(URI uri) {
        String path = uri.getRawPath() == null ? "" : uri.getRawPath();
        String shown = Origin.require(uri) + path;
        return shown.length() <= MAX_SHOWN ? shown : shown.substring(0, MAX_SHOWN) + "...";
    }
}
