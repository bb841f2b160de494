package dev.fusebox.gateway.extension;

import dev.fusebox.gateway.catalog.CatalogContents;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The addresses of apps (`ui://`) and skills of all servers: which server has which, and under which address clients
/// see it. Immutable; nothing blocks.
///
/// An address belongs to the first server that lists it, and stays with it. The same address of another server is
/// shown with the name of that server in it ([PrefixedAddress]). All files of a skill go together: where two skills
/// overlap, the later one is shown with the name of its server, whatever its files are.
///
/// An address whose authority is the name of another server belongs to no server, since it could be that of the other
/// one. The same holds for an address that a client might normalize.
public final class ServerAddresses {
    /// No server has an app or a skill.
    public static final ServerAddresses NONE = new ServerAddresses(Set.of(), Map.of());

    public static final String UI = "ui";
    public static final String SKILL = "skill";

    /// Longer addresses belong to no server. Browsers accept addresses of this length.
    private static final int MAX_LENGTH = 2_048;

    private final Set<String> servers;
    private final Set<String> lowerCaseServers = new HashSet<>();
    private final Map<String, ListedAddresses> listed;
    private final NavigableMap<String, String> owners = new TreeMap<>();
    private final NavigableMap<String, String> ownersOfRoots = new TreeMap<>();

    /// Servers that have addresses of their own with their name as authority.
    private final Set<String> selfNamed = new HashSet<>();

    /// What an address means.
    ///
    /// @param own the server's own address
    public record Target(String server, String own) {}

    private ServerAddresses(Set<String> servers, Map<String, ListedAddresses> listed) {
        this.servers = Set.copyOf(servers);
        this.listed = listed;
        servers.forEach(server -> lowerCaseServers.add(server.toLowerCase(Locale.ROOT)));
    }

    /// The addresses in the lists of all servers.
    ///
    /// @param contents by the name of the server, in the order that decides who has an address
    /// @param names of all servers, including those without lists
    /// @param before the previous addresses, whose owners stay
    public static ServerAddresses of(
            Map<String, CatalogContents> contents, Collection<String> names, ServerAddresses before) {
        Map<String, ListedAddresses> listed = new LinkedHashMap<>();
        contents.forEach((server, all) -> {
            ListedAddresses addresses = ListedAddresses.in(all);
            if (!addresses.isEmpty()) {
                listed.put(server, addresses);
            }
        });
        if (listed.isEmpty()) {
            return NONE;
        }
        Set<String> servers = new HashSet<>(names);
        servers.addAll(contents.keySet());
        ServerAddresses addresses = new ServerAddresses(servers, listed);
        addresses.assign(before);
        return addresses;
    }

    // ---- Owners

    private void assign(ServerAddresses before) {
        listed.forEach((server, all) -> {
            all.roots().stream().filter(root -> before.hasRoot(server, root)).forEach(root -> assignRoot(server, root));
            all.addresses().stream()
                    .filter(address -> before.has(server, address))
                    .forEach(address -> assign(server, address));
        });
        listed.forEach((server, all) -> {
            all.roots().forEach(root -> assignRoot(server, root));
            all.addresses().forEach(address -> assign(server, address));
        });
    }

    private boolean hasRoot(String server, String root) {
        return server.equals(ownersOfRoots.get(root));
    }

    private boolean has(String server, String address) {
        return server.equals(owners.get(address));
    }

    private void assignRoot(String server, String root) {
        if (isAssignable(server, root) && !SkillRoots.isTooDeep(root) && !overlaps(server, root)) {
            ownersOfRoots.putIfAbsent(root, server);
            noteSelfNamed(server, root);
        }
    }

    private void assign(String server, String address) {
        // First: a longer address is not looked at.
        if (!isAssignable(server, address)) {
            return;
        }
        String root = rootOwner(address);
        if (root == null || root.equals(server)) {
            owners.putIfAbsent(address, server);
            noteSelfNamed(server, address);
        }
    }

    private void noteSelfNamed(String server, String address) {
        if (server.equals(PrefixedAddress.authority(address))) {
            selfNamed.add(server);
        }
    }

    private boolean isAssignable(String server, String address) {
        String authority = address.length() > MAX_LENGTH ? null : PrefixedAddress.authority(address);
        return authority != null && !isOfAnother(server, authority);
    }

    private boolean isOfAnother(String server, String authority) {
        return !authority.equals(server)
                && (servers.contains(authority)
                        || (lowerCaseServers.contains(authority.toLowerCase(Locale.ROOT))
                                && !authority.equalsIgnoreCase(server)));
    }

    /// Whether another server has something under this directory, or a skill that contains it.
    private boolean overlaps(String server, String root) {
        String around = rootOwner(root);
        return (around != null && !around.equals(server))
                || isUnder(root, ownersOfRoots, server)
                || isUnder(root, owners, server);
    }

    private static boolean isUnder(String root, NavigableMap<String, String> owners, String server) {
        String first = root + "/";
        for (Map.Entry<String, String> each : owners.tailMap(first, true).entrySet()) {
            if (!each.getKey().startsWith(first)) {
                return false;
            }
            if (!each.getValue().equals(server)) {
                return true;
            }
        }
        return false;
    }

    /// The server whose skill contains this address; null if there is none.
    private @Nullable String rootOwner(String address) {
        String root = SkillRoots.around(address, ownersOfRoots.keySet());
        return root == null ? null : ownersOfRoots.get(root);
    }

    private @Nullable String owner(String address) {
        if (address.length() > MAX_LENGTH) {
            return null;
        }
        String owner = owners.get(address);
        return owner == null ? rootOwner(address) : owner;
    }

    // ---- Both directions

    /// Whether no server has an app or a skill.
    public boolean isEmpty() {
        return listed.isEmpty();
    }

    /// Whether the server lists an app.
    public boolean hasApps(String server) {
        ListedAddresses all = listed.get(server);
        return all != null && all.hasApps();
    }

    /// Whether an address of the server may be shown under another one.
    public boolean concerns(String server, String own) {
        return !isEmpty() && (isOfScheme(own) || root(server, own) != null);
    }

    private static boolean isOfScheme(String address) {
        String scheme = PrefixedAddress.scheme(address);
        return scheme.equals(UI) || scheme.equals(SKILL);
    }

    private @Nullable String root(String server, String own) {
        ListedAddresses all = listed.get(server);
        return all == null || own.length() > MAX_LENGTH ? null : SkillRoots.around(own, all.roots());
    }

    /// The address under which clients see an address of a server. One that the server has not listed contains its
    /// name.
    public String shown(String server, String own) {
        if (!concerns(server, own)) {
            return own;
        }
        String root = root(server, own);
        boolean isOwner = root == null ? has(server, own) : hasRoot(server, root);
        return isOwner && isAssignable(server, own) ? own : prefixed(server, own, PrefixedAddress.scheme(own));
    }

    /// The same for an address that is to be rendered, which must be one of an app.
    public String rendered(String server, String own) {
        return PrefixedAddress.scheme(own).equals(UI) ? shown(server, own) : prefixed(server, own, UI);
    }

    private String prefixed(String server, String own, String scheme) {
        return new PrefixedAddress(server, own).text(scheme, selfNamed.contains(server));
    }

    /// What an address that clients see means; null if it means nothing here.
    public @Nullable Target target(String address) {
        String owner = owner(address);
        if (owner != null) {
            return new Target(owner, address);
        }
        String server = PrefixedAddress.authority(address);
        if (server == null || !servers.contains(server)) {
            return null;
        }
        PrefixedAddress prefixed = PrefixedAddress.of(address, server, selfNamed.contains(server));
        if (prefixed == null) {
            // Its own, which it has not listed.
            return isOfScheme(address) ? new Target(server, address) : null;
        }
        boolean isKnown = isOfScheme(address) || root(server, prefixed.own()) != null;
        return isKnown ? new Target(server, prefixed.own()) : null;
    }
}
