package dev.fusebox.platform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProtocolFamily;
import java.net.StandardProtocolFamily;
import java.nio.ByteOrder;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Tests of the user at the other end of real local connections, with both ways of lookup on Linux.
@Tag("process")
@Timeout(60)
class PeerUsersTest {
    private static final ProcNetTcp TABLE = new ProcNetTcp(Path.of("/proc/self/net"));
    private static final ProcNetTcp NO_TABLE = new ProcNetTcp(Path.of("/nowhere"));
    private static final long OTHER_USER = 65_533;

    @TempDir
    private Path folder;

    /// One way of lookup.
    record Way(String name, LinuxPeerUsers users) {
        @Override
        public String toString() {
            return name;
        }
    }

    /// Both ends of one connection.
    private record Pair(ServerSocketChannel listening, SocketChannel client, SocketChannel accepted)
            implements AutoCloseable {
        static Pair of(String address, ProtocolFamily family) throws IOException {
            InetAddress host = InetAddress.ofLiteral(address);
            ServerSocketChannel listening = ServerSocketChannel.open(familyOf(host));
            listening.bind(new InetSocketAddress(host, 0));
            SocketChannel client = SocketChannel.open(family);
            client.connect(listening.getLocalAddress());
            return new Pair(listening, client, listening.accept());
        }

        private static ProtocolFamily familyOf(InetAddress host) {
            return host instanceof Inet6Address ? StandardProtocolFamily.INET6 : StandardProtocolFamily.INET;
        }

        OptionalLong user(LinuxPeerUsers users) throws IOException {
            return userOf(users, accepted);
        }

        @Override
        public void close() throws IOException {
            client.close();
            accepted.close();
            listening.close();
        }
    }

    private static OptionalLong userOf(LinuxPeerUsers users, SocketChannel accepted) throws IOException {
        return users.userOf(
                (InetSocketAddress) accepted.getRemoteAddress(), (InetSocketAddress) accepted.getLocalAddress());
    }

    static List<Way> ways() {
        List<Way> ways = new ArrayList<>(List.of(new Way("table", asking(null, TABLE))));
        SocketDiagnostics diagnostics = isLinux() ? SocketDiagnostics.open() : null;
        if (diagnostics != null) {
            ways.add(new Way("diagnostics", asking(diagnostics, NO_TABLE)));
        }
        return ways;
    }

    private static LinuxPeerUsers asking(@Nullable SocketDiagnostics diagnostics, ProcNetTcp table) {
        return new LinuxPeerUsers(LinuxPeerUsers.effectiveUser(Path.of("/proc/self/status")), diagnostics, table);
    }

    private static boolean isLinux() {
        return System.getProperty("os.name").equals("Linux");
    }

    @BeforeEach
    void peer_users_are_known_on_linux_only() {
        assumeTrue(isLinux(), "skipped: only Linux reports peer users");
    }

    private static InetSocketAddress at(String address, int port) {
        return new InetSocketAddress(InetAddress.ofLiteral(address), port);
    }

    @ParameterizedTest
    @MethodSource("ways")
    void own_connections_belong_to_own_user_in_every_address_family(Way way) throws IOException {
        OptionalLong self = way.users().self();
        assertThat(self).isEqualTo(OptionalLong.of(ownUser()));
        try (Pair pair = Pair.of("127.0.0.1", StandardProtocolFamily.INET)) {
            assertThat(pair.user(way.users())).as("IPv4").isEqualTo(self);
        }
        try (Pair pair = Pair.of("127.0.0.1", StandardProtocolFamily.INET6)) {
            assertThat(pair.user(way.users())).as("IPv4 in an IPv6 socket").isEqualTo(self);
        }
        assumeTrue(hasIpv6(), "skipped for IPv6: this machine has none");
        try (Pair pair = Pair.of("::1", StandardProtocolFamily.INET6)) {
            assertThat(pair.user(way.users())).as("IPv6").isEqualTo(self);
        }
    }

    private static boolean hasIpv6() {
        try (ServerSocketChannel probe = ServerSocketChannel.open(StandardProtocolFamily.INET6)) {
            return probe.bind(at("::1", 0)).isOpen();
        } catch (IOException none) {
            return false;
        }
    }

    private long ownUser() throws IOException {
        Path own = Files.createFile(folder.resolve("own"));
        return Integer.toUnsignedLong((Integer) Files.getAttribute(own, "unix:uid"));
    }

    @ParameterizedTest
    @MethodSource("ways")
    void closed_end_has_no_user_and_is_not_mistaken_for_the_superusers(Way way) throws IOException {
        try (Pair pair = Pair.of("127.0.0.1", StandardProtocolFamily.INET)) {
            assertThat(pair.user(way.users())).isPresent();
            pair.client().close();
            assertThat(pair.user(way.users())).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("ways")
    void listener_on_the_port_of_a_closed_peer_is_not_mistaken_for_the_peer(Way way) throws IOException {
        try (Pair pair = Pair.of("127.0.0.1", StandardProtocolFamily.INET)) {
            assertThat(pair.user(way.users())).isPresent();
            InetSocketAddress listener = (InetSocketAddress) pair.listening().getLocalAddress();
            InetSocketAddress nowhere = at("127.0.0.1", 1);
            assertThat(way.users().userOf(listener, nowhere)).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("ways")
    void connections_of_another_user_are_attributed_to_that_user(Way way) throws Exception {
        String connect = "exec 3<>/dev/tcp/127.0.0.1/$0; read -r -u 3";
        List<String> as = List.of("setpriv", "--reuid=" + OTHER_USER, "--clear-groups", "bash", "-c");
        assumeTrue(ownUser() == 0 && succeeds(as), "skipped: not the superuser, or no setpriv here");
        try (ServerSocketChannel listening = ServerSocketChannel.open()) {
            listening.bind(at("127.0.0.1", 0));
            List<String> command = new ArrayList<>(as);
            command.addAll(List.of(connect, "" + ((InetSocketAddress) listening.getLocalAddress()).getPort()));
            Process client = new ProcessBuilder(command).start();
            try (SocketChannel accepted = listening.accept()) {
                assertThat(userOf(way.users(), accepted)).isEqualTo(OptionalLong.of(OTHER_USER));
            }
            assertThat(client.waitFor(20, TimeUnit.SECONDS)).isTrue();
        }
    }

    private static boolean succeeds(List<String> shell) throws Exception {
        List<String> command = Stream.concat(shell.stream(), Stream.of("true")).toList();
        try {
            return new ProcessBuilder(command).start().waitFor() == 0;
        } catch (IOException notHere) {
            return false;
        }
    }

    @Test
    void table_is_read_until_diagnostics_have_found_a_socket() throws IOException {
        SocketDiagnostics diagnostics = SocketDiagnostics.open();
        assumeTrue(diagnostics != null, "skipped: no diagnostics here");
        InetSocketAddress here = at("127.0.0.1", 2);
        InetSocketAddress peer = at("127.0.0.1", 1);
        Files.writeString(folder.resolve("tcp"), """
                  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
                   0: 0100007F:0001 0100007F:0002 01 00000000:00000000 00:00000000 00000000    77        0 5 1 0 20 4 30
                """);
        assumeTrue(
                ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN, "skipped: the table has another byte order here");
        LinuxPeerUsers users = asking(Objects.requireNonNull(diagnostics), new ProcNetTcp(folder));
        assertThat(users.userOf(peer, here)).isEqualTo(OptionalLong.of(77));
        try (Pair pair = Pair.of("127.0.0.1", StandardProtocolFamily.INET)) {
            assertThat(pair.user(users)).isEqualTo(users.self());
        }
        assertThat(users.userOf(peer, here)).isEmpty();
    }
}
