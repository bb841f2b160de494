package dev.fusebox.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.platform.PeerUsers;
import dev.fusebox.platform.Platform;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Tests of which users of this machine may connect. The users are simulated; real ones are in the tests of
/// `PeerUsers`.
@Timeout(60)
class PeerGuardTest {
    private static final long OWNER = 1_000;

    /// A machine on which all connections belong to one user.
    private record OneUser(OptionalLong self, OptionalLong user, Queue<SocketAddress> asked) implements PeerUsers {
        static OneUser of(long user) {
            return new OneUser(OptionalLong.of(OWNER), OptionalLong.of(user), new ConcurrentLinkedQueue<>());
        }

        static OneUser unseen(OptionalLong self) {
            return new OneUser(self, OptionalLong.empty(), new ConcurrentLinkedQueue<>());
        }

        @Override
        public OptionalLong userOf(InetSocketAddress peer, InetSocketAddress own) {
            asked.add(peer);
            return user;
        }
    }

    private static RawClient.Answer answer(OneUser users, HttpSettings settings) throws IOException {
        Platform platform = Platform.system().withPeerUsers(users);
        AtomicInteger handled = new AtomicInteger();
        HttpHandler handler = (request, reply) -> {
            handled.incrementAndGet();
            reply.respond(200, HttpHeaders.none(), request.body());
        };
        try (HttpServer server = HttpServer.open(settings, handler, platform);
                RawClient client = RawClient.of(server)) {
            RawClient.Answer answer =
                    client.send(Requests.post(server, "/", "x")).answer();
            if (answer.status() == 200) {
                client.send(Requests.post(server, "/", "y")).answer();
            }
            assertThat(handled.get()).isEqualTo(answer.status() == 200 ? 2 : 0);
            return answer;
        }
    }

    private static int status(OneUser users) throws IOException {
        return answer(users, HttpSettings.loopback(0)).status();
    }

    @Test
    void own_user_and_superuser_may_connect_and_are_looked_up_once() throws IOException {
        OneUser owner = OneUser.of(OWNER);
        assertThat(status(owner)).isEqualTo(200);
        assertThat(owner.asked()).hasSize(1);
        assertThat(status(OneUser.of(0))).isEqualTo(200);
    }

    @Test
    void another_user_is_refused_with_the_name_of_the_setting() throws IOException {
        RawClient.Answer answer = answer(OneUser.of(1_001), HttpSettings.loopback(0));
        assertThat(answer.status()).isEqualTo(403);
        assertThat(answer.body()).contains("http.otherUsers");
    }

    @Test
    void connection_of_an_unknown_user_is_refused() throws IOException {
        assertThat(status(OneUser.unseen(OptionalLong.of(OWNER)))).isEqualTo(403);
    }

    @Test
    void system_that_does_not_report_users_admits_all() throws IOException {
        OneUser system = OneUser.unseen(OptionalLong.empty());
        assertThat(status(system)).isEqualTo(200);
        assertThat(system.asked()).isEmpty();
    }

    @Test
    void other_users_may_connect_if_allowed() throws IOException {
        OneUser other = OneUser.of(1_001);
        HttpSettings settings = HttpSettings.loopback(0).withOtherUsers(OtherUsersPolicy.ALLOW);
        assertThat(answer(other, settings).status()).isEqualTo(200);
        assertThat(other.asked()).isEmpty();
    }

    @Test
    void unix_socket_is_protected_by_file_permissions_alone(@TempDir Path folder) throws IOException {
        OneUser other = OneUser.of(1_001);
        assertThat(answer(other, HttpSettings.unix(folder.resolve("s"))).status())
                .isEqualTo(200);
        assertThat(other.asked()).isEmpty();
    }
}
