package dev.fusebox.gateway.crowd;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.ErrorCode;
import dev.fusebox.gateway.era.ClientMetadata;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Finds the server that is meant by what a client says. Thread-safe; nothing blocks.
final class Addresses {
    /// So many guesses fit into a message.
    private static final int MOST = 5;

    /// As `mcp_discover` names of them.
    private static final int MOST_SERVERS = 20;

    private static final String DISCOVER = "mcp_discover";

    private final Crowd crowd;
    private final ClientMetadata client;

    /// @param client whose catalog counts
    Addresses(Crowd crowd, ClientMetadata client) {
        this.crowd = crowd;
        this.client = client;
    }

    private Catalog catalog() {
        return crowd.views().catalog(client);
    }

    /// What was found. Immutable.
    sealed interface Found {
        record At(Router.Route route) implements Found {}

        record Nowhere(CallFailure why) implements Found {}
    }

    Found find(Kind kind, String shown) {
        return kind.isNamed() ? named(kind, shown) : addressed(kind, shown);
    }

    // ---- By name

    /// A name that nobody has listed yet may be right all the same, as long as its server has not said itself what
    /// it has.
    Found named(Kind kind, String shown) {
        Catalog.Entry entry = catalog().find(kind, shown);
        if (entry != null) {
            return at(entry);
        }
        ShownName split = ShownName.split(shown);
        if (split == null) {
            return nowhere(ErrorCode.UNKNOWN_TOOL, "nothing here is called " + quoted(shown) + byOwnName(kind, shown));
        }
        Absent absent = crowd.absent(split.server());
        if (absent != null) {
            return new Found.Nowhere(absent.why());
        }
        Team team = crowd.team(split.server());
        if (team != null) {
            return team.isLive() ? known(kind, shown, split) : unlisted(kind, team, split);
        }
        Member member = crowd.member(split.server());
        if (member == null) {
            return noServer(split.server());
        }
        return member.lists().isLive(client) ? known(kind, shown, split) : unlisted(kind, member, split);
    }

    /// Looks once more: it may have become known between the first look and now.
    private Found known(Kind kind, String shown, ShownName split) {
        Catalog.Entry entry = catalog().find(kind, shown);
        return entry == null ? nothing(split) : at(entry);
    }

    private static Found unlisted(Kind kind, Member member, ShownName split) {
        String own = member.ownName(kind, split.own());
        return own == null ? nothing(split) : new Found.At(Router.Route.to(member, own));
    }

    private static Found unlisted(Kind kind, Team team, ShownName split) {
        if (team.members().isEmpty()) {
            return new Found.Nowhere(team.deserted());
        }
        Member first = team.members().getFirst();
        String own = first.ownName(kind, split.own());
        return own == null ? nothing(split) : new Found.At(new Router.Route(first, own, null, team.id()));
    }

    private static Found nothing(ShownName split) {
        return nowhere(ErrorCode.UNKNOWN_TOOL, split.server() + " has nothing called " + quoted(split.own()));
    }

    /// Models leave the server out. Whoever has such a tool is named as it is called here.
    private String byOwnName(Kind kind, String own) {
        List<Catalog.Entry> there = kind == Kind.TOOLS ? catalog().toolsCalled(own) : List.of();
        if (there.isEmpty()) {
            return kind == Kind.TOOLS && crowd.menu().own(DISCOVER) != null ? "; " + DISCOVER + " finds tools" : "";
        }
        List<String> shown = there.stream()
                .filter(entry -> crowd.menu().has(kind, entry))
                .map(Catalog.Entry::shown)
                .limit(MOST)
                .toList();
        List<String> servers =
                there.stream().map(Catalog.Entry::server).limit(MOST).toList();
        return shown.isEmpty()
                ? "; servers with a tool of this name, for mcp_call: " + String.join(", ", servers)
                : "; there is " + String.join(", ", shown);
    }

    /// A name that is like none needs to be told what there is.
    private Found noServer(String server) {
        List<String> all = crowd.names();
        List<String> near = Likeness.nearest(server, all, MOST);
        String there = String.join(", ", all.stream().limit(MOST_SERVERS).toList())
                + (all.size() > MOST_SERVERS ? ", and " + (all.size() - MOST_SERVERS) + " more" : "");
        String instead = all.isEmpty() ? "; none is configured" : "; there are " + there;
        return nowhere(
                ErrorCode.UNKNOWN_SERVER,
                "there is no server " + quoted(server) + (near.isEmpty() ? instead : guesses(near)));
    }

    // ---- By two names

    /// The tool that a client knows by the name of its server and its own.
    Found apart(String server, String tool) {
        Absent absent = crowd.absent(server);
        if (absent != null) {
            return new Found.Nowhere(absent.why());
        }
        Team team = crowd.team(server);
        if (team != null) {
            return apart(team, tool);
        }
        Member member = crowd.member(server);
        if (member == null) {
            return noServer(server);
        }
        String own = member.ownName(Kind.TOOLS, tool);
        String shown = own == null ? null : member.shownName(Kind.TOOLS, own);
        Catalog.Entry entry = catalog().find(Kind.TOOLS, shown);
        if (entry != null) {
            return at(entry);
        }
        return own != null && !member.lists().isLive(client)
                ? new Found.At(Router.Route.to(member, own))
                : unknown(member.id(), member, tool);
    }

    private Found apart(Team team, String tool) {
        Catalog.Entry entry = catalog().find(Kind.TOOLS, ShownName.of(team.id(), tool));
        ShownName name = new ShownName(team.id(), tool);
        if (entry != null) {
            return at(entry);
        }
        return team.members().stream()
                .filter(Member::isLive)
                .findFirst()
                .map(member -> unknown(team.id(), member, tool))
                .orElseGet(() -> unlisted(Kind.TOOLS, team, name));
    }

    private Found unknown(String server, Member member, String tool) {
        List<String> there = Tooling.names(member, client);
        List<String> near = Likeness.nearest(tool, there, MOST);
        List<String> elsewhere = catalog().toolsCalled(tool).stream()
                .map(Catalog.Entry::server)
                .limit(MOST)
                .toList();
        String other = elsewhere.isEmpty() ? "" : "; servers with a tool of this name: " + String.join(", ", elsewhere);
        List<String> guesses = near.isEmpty() ? there.stream().limit(MOST).toList() : near;
        return nowhere(ErrorCode.UNKNOWN_TOOL, server + " has no tool " + quoted(tool) + guesses(guesses) + other);
    }

    private static String guesses(List<String> names) {
        String nearest = names.size() == 1 ? "; the nearest name is " : "; the nearest names are ";
        return names.isEmpty() ? "" : nearest + String.join(", ", names);
    }

    // ---- By address

    /// An address that names its server goes there, whatever is listed.
    private Found addressed(Kind kind, String address) {
        if (address.startsWith(Catalog.EXPLICIT)) {
            return explicit(address);
        }
        Catalog.Entry entry = catalog().find(kind, address);
        if (entry != null) {
            return at(entry);
        }
        Catalog.Entry template = kind == Kind.RESOURCES ? template(address) : null;
        return template != null
                ? new Found.At(Router.Route.to(template.member(), address))
                : nowhere(
                        ErrorCode.UNKNOWN_TOOL,
                        "no server lists " + quoted(address) + "; " + Catalog.EXPLICIT
                                + "SERVER/ before the escaped address names one");
    }

    private Found explicit(String address) {
        String server = server(address);
        Absent absent = crowd.absent(server);
        if (absent != null) {
            return new Found.Nowhere(absent.why());
        }
        Member member = crowd.member(server);
        if (member == null) {
            return noServer(server);
        }
        try {
            String escaped =
                    address.substring(Math.min(address.length(), Catalog.EXPLICIT.length() + server.length() + 1));
            String own = URLDecoder.decode(escaped, StandardCharsets.UTF_8);
            return new Found.At(Router.Route.to(member, own));
        } catch (IllegalArgumentException wronglyEscaped) {
            return nowhere(ErrorCode.UNKNOWN_TOOL, quoted(address) + " is not rightly escaped");
        }
    }

    /// The server that something shown names, whether there is one or not; `fusebox` if it names none.
    static String server(String shown) {
        if (shown.startsWith(Catalog.EXPLICIT)) {
            String rest = shown.substring(Catalog.EXPLICIT.length());
            int slash = rest.indexOf('/');
            return slash < 0 ? rest : rest.substring(0, slash);
        }
        ShownName split = ShownName.split(shown);
        return split == null ? "fusebox" : split.server();
    }

    /// The server's own name of something shown, as far as that can be told of what is not there.
    static String own(Crowd crowd, Kind kind, String shown) {
        ShownName split = ShownName.split(shown);
        if (split == null) {
            return shown;
        }
        Member member = crowd.member(split.server());
        String own = member == null ? null : member.ownName(kind, split.own());
        return own == null ? split.own() : own;
    }

    /// Of several that match the one that says most; of those the first.
    private Catalog.@Nullable Entry template(String address) {
        Catalog.Entry best = null;
        for (Catalog.Entry entry : catalog().all(Kind.TEMPLATES)) {
            String own = entry.item().own();
            boolean isBetter = best == null
                    || Templates.literals(own) > Templates.literals(best.item().own());
            if (isBetter && Templates.matches(own, address)) {
                best = entry;
            }
        }
        return best;
    }

    private static Found at(Catalog.Entry entry) {
        return new Found.At(new Router.Route(entry.member(), entry.item().own(), entry.item(), entry.server()));
    }

    private static Found nowhere(ErrorCode code, String message) {
        return new Found.Nowhere(CallFailure.policy(code, message));
    }

    private static String quoted(String text) {
        String plain = text.replaceAll("\\p{C}", " ");
        return "\"" + (plain.length() <= 100 ? plain : plain.substring(0, 100) + "...") + "\"";
    }
}
