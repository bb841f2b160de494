package dev.fusebox.gateway.crowd;

import dev.fusebox.client.Fault;
import dev.fusebox.client.FaultCode;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Finds the server that is meant by what a client says. Thread-safe; nothing blocks.
final class Addresses {
    private static final String EXPLICIT = "fusebox://";

    private final Crowd crowd;

    Addresses(Crowd crowd) {
        this.crowd = crowd;
    }

    /// What was found. Immutable.
    sealed interface Found {
        record At(Router.Route route) implements Found {}

        record Nowhere(Fault why) implements Found {}
    }

    Found find(Kind kind, String shown) {
        return kind.isNamed() ? named(kind, shown) : addressed(kind, shown);
    }

    // ---- By name

    /// A name that nobody has listed yet may be right all the same, as long as its server has not said what it has.
    Found named(Kind kind, String shown) {
        Catalog.Entry entry = crowd.catalog().find(kind, shown);
        if (entry != null) {
            return at(entry);
        }
        ShownName split = ShownName.split(shown);
        if (split == null) {
            return nowhere(FaultCode.UNKNOWN_TOOL, "nothing here is called " + quoted(shown));
        }
        Absent absent = crowd.absent(split.server());
        if (absent != null) {
            return new Found.Nowhere(absent.why());
        }
        Member member = crowd.member(split.server());
        if (member == null) {
            return nowhere(FaultCode.UNKNOWN_SERVER, "there is no server " + quoted(split.server()));
        }
        return member.isKnown() ? known(kind, shown, split) : unlisted(kind, member, split);
    }

    /// Looks once more: it may have become known between the first look and now.
    private Found known(Kind kind, String shown, ShownName split) {
        Catalog.Entry entry = crowd.catalog().find(kind, shown);
        return entry == null ? nothing(split) : at(entry);
    }

    private static Found unlisted(Kind kind, Member member, ShownName split) {
        String own = member.ownName(kind, split.own());
        return own == null ? nothing(split) : new Found.At(new Router.Route(member, own, null));
    }

    private static Found nothing(ShownName split) {
        return nowhere(FaultCode.UNKNOWN_TOOL, split.server() + " has nothing called " + quoted(split.own()));
    }

    // ---- By address

    private Found addressed(Kind kind, String address) {
        Catalog.Entry entry = crowd.catalog().find(kind, address);
        if (entry != null) {
            return at(entry);
        }
        Router.Route route = explicit(address);
        if (route == null && kind == Kind.RESOURCES) {
            route = byTemplate(address);
        }
        return route != null
                ? new Found.At(route)
                : nowhere(
                        FaultCode.UNKNOWN_TOOL,
                        "no server lists " + quoted(address) + "; " + EXPLICIT
                                + "SERVER/ before the escaped address names one");
    }

    private Router.@Nullable Route explicit(String address) {
        int slash = address.startsWith(EXPLICIT) ? address.indexOf('/', EXPLICIT.length()) : -1;
        Member member = slash < 0 ? null : crowd.member(address.substring(EXPLICIT.length(), slash));
        try {
            return member == null
                    ? null
                    : new Router.Route(
                            member, URLDecoder.decode(address.substring(slash + 1), StandardCharsets.UTF_8), null);
        } catch (IllegalArgumentException wronglyEscaped) {
            return null;
        }
    }

    private Router.@Nullable Route byTemplate(String address) {
        for (Catalog.Entry entry : crowd.catalog().all(Kind.TEMPLATES)) {
            if (Templates.matches(entry.item().own(), address)) {
                return new Router.Route(entry.member(), address, null);
            }
        }
        return null;
    }

    private static Found at(Catalog.Entry entry) {
        return new Found.At(new Router.Route(entry.member(), entry.item().own(), entry.item()));
    }

    private static Found nowhere(FaultCode code, String message) {
        return new Found.Nowhere(Fault.policy(code, message));
    }

    private static String quoted(String text) {
        String plain = text.replaceAll("\\p{C}", " ");
        return "\"" + (plain.length() <= 100 ? plain : plain.substring(0, 100) + "...") + "\"";
    }
}
