package dev.fusebox.gateway.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fusebox.gateway.era.SingleServerHarness;
import dev.fusebox.http.HttpServer;
import dev.fusebox.http.HttpSettings;
import dev.fusebox.platform.Platform;
import dev.fusebox.platform.SecretIds;
import java.io.IOException;
import java.net.SocketException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class RunFolderTest {
    /// Larger than the kernel's largest process id.
    private static final long NOBODY = 99_999_999L;

    @TempDir
    private Path home;

    private Platform platform() {
        return SingleServerHarness.PLATFORM.withEnvironment(
                Map.of("FUSEBOX_HOME", home.resolve("state").toString()));
    }

    private RunFolder made() throws IOException {
        return RunFolder.of(platform()).made();
    }

    private static String permissions(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path, LinkOption.NOFOLLOW_LINKS));
    }

    @Test
    void run_folder_is_set_by_the_environment_and_owner_only() throws IOException {
        RunFolder folder = made();
        assertThat(folder.path()).isEqualTo(home.resolve("state/run"));
        assertThat(permissions(folder.path())).isEqualTo("rwx------");
        assertThat(permissions(home.resolve("state"))).isEqualTo("rwx------");
        Files.setPosixFilePermissions(folder.path(), PosixFilePermissions.fromString("rwxrwxrwx"));
        assertThat(permissions(made().path())).isEqualTo("rwx------");
        Platform atHome = SingleServerHarness.PLATFORM.withEnvironment(Map.of("HOME", home.toString()));
        assertThat(RunFolder.of(atHome).path()).isEqualTo(home.resolve(".fusebox/run"));
        assertThatThrownBy(() -> RunFolder.of(SingleServerHarness.PLATFORM.withEnvironment(Map.of())))
                .hasMessageContaining("neither FUSEBOX_HOME nor HOME");
    }

    @Test
    void symbolic_link_in_place_of_the_run_folder_is_not_followed() throws IOException {
        Files.createDirectories(home.resolve("state"));
        Path elsewhere = Files.createDirectory(home.resolve("elsewhere"));
        Files.createSymbolicLink(home.resolve("state/run"), elsewhere);
        assertThatThrownBy(this::made).isInstanceOf(IOException.class).hasMessageContaining("is not a folder");
        try (Stream<Path> files = Files.list(elsewhere)) {
            assertThat(files).isEmpty();
        }
    }

    @Test
    void socket_path_that_is_too_long_is_an_error_with_a_remedy() throws IOException {
        RunFolder deep = new RunFolder(home.resolve("x".repeat(100)));
        assertThatThrownBy(() -> deep.socket(1)).hasMessageContaining("set FUSEBOX_HOME to a shorter path");
    }

    @Test
    void gateway_is_found_by_its_owner_only_socket_which_it_removes_at_its_end() throws IOException {
        RunFolder folder = made();
        Path socket = folder.socket(NOBODY);
        HttpServer front = HttpServer.open(
                HttpSettings.unix(socket),
                (request, reply) -> JsonReplies.text(reply, 200, "here"),
                SingleServerHarness.PLATFORM);
        assertThat(folder.gateways()).containsExactly(new RunFolder.Gateway(NOBODY, socket));
        assertThat(permissions(socket)).isEqualTo("rw-------");
        folder.sweep();
        assertThat(AdminClient.of(UnixDomainSocketAddress.of(socket)).get("/").body())
                .isEqualTo("here");
        front.close();
        assertThat(folder.gateways()).isEmpty();
        assertThat(socket).doesNotExist();
    }

    @Test
    void sweep_removes_only_sockets_of_ended_gateways() throws IOException {
        RunFolder folder = made();
        Path dead = left(folder.socket(NOBODY));
        Path living = left(folder.socket(ProcessHandle.current().pid()));
        Path noSocket = Files.writeString(folder.path().resolve("88888888.sock"), "text");
        Path other = left(folder.path().resolve("other.sock"));
        assertThat(folder.gateways()).isEmpty();
        folder.sweep();
        assertThat(dead).doesNotExist();
        assertThat(living).exists();
        assertThat(noSocket).exists();
        assertThat(other).exists();
    }

    /// Like a stopped process with a full accept queue.
    @Test
    @Timeout(20)
    void gateway_with_a_full_accept_queue_is_not_waited_for() throws IOException {
        RunFolder folder = made();
        UnixDomainSocketAddress address = UnixDomainSocketAddress.of(folder.socket(NOBODY));
        List<SocketChannel> knocking = new ArrayList<>();
        try (ServerSocketChannel stopped = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            stopped.bind(address, 1);
            assertThatThrownBy(() -> {
                        while (true) {
                            SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
                            knocking.add(channel);
                            channel.configureBlocking(false);
                            channel.connect(address);
                        }
                    })
                    .isInstanceOf(SocketException.class);
            assertThat(folder.gateways()).isEmpty();
        } finally {
            for (SocketChannel channel : knocking) {
                channel.close();
            }
        }
    }

    /// The state after a SIGKILL.
    private static Path left(Path socket) throws IOException {
        try (ServerSocketChannel channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            channel.bind(UnixDomainSocketAddress.of(socket));
        }
        return socket;
    }

    private static HttpServer open(Path socket) throws IOException {
        return HttpServer.open(
                HttpSettings.unix(socket),
                (request, reply) -> JsonReplies.text(reply, 200, "here"),
                SingleServerHarness.PLATFORM);
    }

    @Test
    void foreign_file_in_place_of_the_socket_is_an_error_and_stays() throws IOException {
        Path folder = Files.createDirectory(made().socket(NOBODY));
        assertThatThrownBy(() -> open(folder))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(folder.toString())
                .hasMessageContaining("remove the file at this path");
        assertThat(folder).isDirectory();
        Path nowhere = folder.resolve("none/1.sock");
        assertThatThrownBy(() -> open(nowhere)).hasMessageContaining("its folder exists and is writable");
    }

    @Test
    void foreign_file_that_replaced_the_socket_stays_at_the_end() throws IOException {
        RunFolder folder = made();
        Path socket = folder.socket(NOBODY);
        HttpServer front = open(socket);
        Files.delete(socket);
        Files.createDirectory(socket);
        assertThat(folder.gateways()).isEmpty();
        folder.sweep();
        front.close();
        assertThat(socket).isDirectory();
    }

    // ---- Admin token

    @Test
    void all_gateways_of_a_user_share_one_owner_only_token() throws IOException {
        RunFolder folder = made();
        String token = AdminToken.of(folder, SecretIds.system());
        assertThat(token).matches("[A-Za-z0-9_-]{43}");
        assertThat(AdminToken.of(folder, SecretIds.system())).isEqualTo(token);
        assertThat(permissions(folder.path().resolve("admin.token"))).isEqualTo("rw-------");
        try (Stream<Path> files = Files.list(folder.path())) {
            assertThat(files).hasSize(1);
        }
    }

    @Test
    void token_that_is_readable_by_others_or_invalid_is_not_used() throws IOException {
        RunFolder folder = made();
        Path file = folder.path().resolve("admin.token");
        AdminToken.of(folder, SecretIds.system());
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        assertThatThrownBy(() -> AdminToken.of(folder, SecretIds.system()))
                .hasMessageContaining("is readable by other users");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        Files.writeString(file, "");
        assertThatThrownBy(() -> AdminToken.of(folder, SecretIds.system())).hasMessageContaining("contains no token");
        Files.delete(file);
        Path elsewhere = Files.writeString(home.resolve("elsewhere"), "a".repeat(43));
        Files.setPosixFilePermissions(elsewhere, PosixFilePermissions.fromString("rw-------"));
        Files.createSymbolicLink(file, elsewhere);
        assertThatThrownBy(() -> AdminToken.of(folder, SecretIds.system()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("does not belong to this user");
    }
}
