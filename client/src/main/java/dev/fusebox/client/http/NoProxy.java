package dev.fusebox.client.http;

import dev.fusebox.protocol.http.Origin;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Servers that are reached without a proxy, from a comma-separated list as in `NO_PROXY`: `tools.test` and
/// `.tools.test` for a name and all its subdomains, `*` for everything, an address, a network such as
/// `10.0.0.0/8`, and each with an optional port. Names are not resolved. Immutable.
final class NoProxy {
    static final NoProxy NOTHING = new NoProxy(List.of());

    private final List<Rule> rules;

    private NoProxy(List<Rule> rules) {
        this.rules = List.copyOf(rules);
    }

    /// One entry.
    ///
    /// @param name without leading dots
    /// @param address if the name is one; else null
    /// @param bits significant bits of the address
    /// @param port 0 for any
    private record Rule(String name, @Nullable InetAddress address, int bits, int port) {
        boolean covers(Origin origin) {
            if (port != 0 && port != origin.port()) {
                return false;
            }
            InetAddress there = origin.address();
            if (there != null && address != null) {
                return sameNet(there.getAddress(), address.getAddress());
            }
            String host = origin.host();
            return name.equals("*") || host.equals(name) || host.endsWith("." + name);
        }

        private boolean sameNet(byte[] one, byte[] other) {
            if (one.length != other.length) {
                return false;
            }
            for (int i = 0; i < bits; i++) {
                int mask = 0x80 >> (i % 8);
                if ((one[i / 8] & mask) != (other[i / 8] & mask)) {
                    return false;
                }
            }
            return true;
        }
    }

    /// Parses a list. An invalid entry matches nothing, as in other programs that read this variable.
    static NoProxy parse(String list) {
        List<Rule> rules = new ArrayList<>();
        for (String entry : list.toLowerCase(Locale.ROOT).split("[,\\s]+", -1)) {
            if (!entry.isEmpty()) {
                rules.add(rule(entry));
            }
        }
        return new NoProxy(rules);
    }

    private static Rule rule(String entry) {
        int slash = entry.indexOf('/');
        if (slash > 0) {
            return net(entry.substring(0, slash), entry.substring(slash + 1));
        }
        // With more than one colon it is an IPv6 address, which has its port behind brackets.
        boolean hasPort = entry.matches("(\\[.*]|[^:]*):[0-9]{1,5}");
        int colon = entry.lastIndexOf(':');
        String host = (hasPort ? entry.substring(0, colon) : entry).replaceAll("[\\[\\]]", "");
        int port = hasPort ? Integer.parseInt(entry.substring(colon + 1)) : 0;
        InetAddress address = Origin.literal(host);
        String name = host.equals("*") ? host : host.replaceFirst("^\\*?\\.", "");
        return new Rule(name, address, address == null ? 0 : 8 * address.getAddress().length, port);
    }

    private static Rule net(String host, String length) {
        InetAddress address = Origin.literal(host.replaceAll("[\\[\\]]", ""));
        int bits = length.matches("[0-9]{1,3}") ? Integer.parseInt(length) : -1;
        boolean isNet = address != null && bits >= 0 && bits <= 8 * address.getAddress().length;
        return isNet ? new Rule("", address, bits, 0) : new Rule(host + "/" + length, null, 0, 0);
    }

    boolean covers(Origin origin) {
        return rules.stream().anyMatch(rule -> rule.covers(origin));
    }
}
