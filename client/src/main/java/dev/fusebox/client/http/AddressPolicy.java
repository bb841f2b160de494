package dev.fusebox.client.http;

import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;

/// Policy for addresses that do not come from the configuration of the operator: only globally reachable ones are
/// allowed (RFC 6890 and its registries). It checks the resolved address that is then connected to, so a name that
/// is resolved differently later has no effect. Pure functions.
final class AddressPolicy {
    /// Prefixes of IPv4 that are not globally reachable: address and length.
    private static final int[][] NON_PUBLIC = {
        {0x00000000, 8}, // this network
        {0x0A000000, 8}, // private
        {0x64400000, 10}, // shared by providers
        {0x7F000000, 8}, // loopback
        {0xA9FE0000, 16}, // link-local, and the metadata of clouds
        {0xAC100000, 12}, // private
        {0xC0000000, 24}, // protocol assignments
        {0xC0000200, 24}, // documentation
        {0xC0586300, 24}, // relays of 6to4
        {0xC0A80000, 16}, // private
        {0xC6120000, 15}, // benchmarks
        {0xC6336400, 24}, // documentation
        {0xCB007100, 24}, // documentation
        {0xE0000000, 3}, // multicast, reserved, broadcast
    };

    private AddressPolicy() {}

    static boolean isPublic(InetAddress address) {
        return switch (address) {
            case Inet4Address four -> isPublic(int32(four.getAddress(), 0));
            case Inet6Address six -> isPublic(six.getAddress());
            default -> false;
        };
    }

    private static boolean isPublic(int address) {
        for (int[] prefix : NON_PUBLIC) {
            int shift = 32 - prefix[1];
            if (address >>> shift == prefix[0] >>> shift) {
                return false;
            }
        }
        return true;
    }

    /// Only 2000::/3 is allocated. Of that, documentation, Teredo and the like are excluded, and 6to4 is judged by
    /// the IPv4 address in it.
    private static boolean isPublic(byte[] six) {
        int first = int32(six, 0);
        if (first == 0x0064FF9B) {
            // Translated to IPv4 behind 64:ff9b::/96; the rest of the prefix is for private use.
            return int32(six, 4) == 0 && int32(six, 8) == 0 && isPublic(int32(six, 12));
        }
        if (first >>> 29 != 1) {
            return false;
        }
        if (first >>> 16 == 0x2002) {
            return isPublic(int32(six, 2));
        }
        boolean assignments = first >>> 9 == 0x20010000 >>> 9;
        boolean documentation = first == 0x20010DB8 || first >>> 12 == 0x3FFF0000 >>> 12;
        return !assignments && !documentation;
    }

    private static int int32(byte[] bytes, int at) {
        return (bytes[at] & 0xFF) << 24
                | (bytes[at + 1] & 0xFF) << 16
                | (bytes[at + 2] & 0xFF) << 8
                | (bytes[at + 3] & 0xFF);
    }
}
