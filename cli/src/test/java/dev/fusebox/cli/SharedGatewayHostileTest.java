package dev.fusebox.cli;

import static dev.fusebox.testkit.Eventually.eventually;
import static dev.fusebox.testkit.Eventually.throughout;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What other programs may do at the socket of a shared gateway, and to its files.
///
/// Over five seconds: connectors and gateways are JVMs, and a gateway waits for those that say nothing.
@Tag("process")
@Timeout(180)
class SharedGatewayHostileTest {
    private static final Duration LONG = Duration.ofSeconds(40);

    @TempDir
    Path folder;

    private SharedHome home() {
        return new SharedHome(folder).server("s", "").save();
    }

    private static void assertServed(SharedClient client) {
        assertThat(client.call("s__echo", "served")).isEqualTo("served");
    }

    /// The address of the gateway's socket, once there is one.
    private static Path socket(SharedHome home) {
        List<Path> found = new ArrayList<>();
        eventually("there is a socket", LONG, () -> {
            try (var files = Files.list(home.run())) {
                files.filter(file -> file.getFileName().toString().matches("shared-.*\\.sock"))
                        .forEach(found::add);
            } catch (IOException none) {
                return false;
            }
            return !found.isEmpty();
        });
        return found.getFirst();
    }

    /// A socket without a gateway, as one leaves behind that was killed.
    private static Path left(SharedHome home) {
        SharedClient first = home.client("first").hello("{}");
        assertServed(first);
        Path socket = socket(home);
        first.leave();
        long gateway = home.gateway();
        SharedHome.signal(gateway, "KILL");
        eventually("it has ended", () -> !SharedHome.isRunning(gateway));
        return socket;
    }

    /// What a gateway answers to a first line, and when it has closed the connection.
    private static List<String> said(Path socket, String... lines) throws IOException {
        try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket));
                var in = new BufferedReader(
                        new InputStreamReader(Channels.newInputStream(channel), StandardCharsets.UTF_8))) {
            if (lines.length > 0) {
                send(channel, lines);
            }
            List<String> answers = new ArrayList<>();
            for (String answer = next(in); answer != null; answer = next(in)) {
                answers.add(answer);
            }
            return answers;
        }
    }

    /// A gateway may close the connection before it has got all of them; what it has answered is still to be read.
    private static void send(SocketChannel channel, String... lines) {
        try {
            for (String line : lines) {
                channel.write(ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.UTF_8)));
            }
            channel.shutdownOutput();
        } catch (IOException closed) {
            return;
        }
    }

    /// A connection that is closed with unread bytes ends with an exception.
    private static @Nullable String next(BufferedReader in) {
        try {
            return in.readLine();
        } catch (IOException closed) {
            return null;
        }
    }

    private static String hello(SharedHome home, int link) throws IOException {
        return "{\"link\":" + link + ",\"version\":\"0\",\"build\":\"b\",\"builtMs\":0,\"config\":"
                + JsonWriter.quoted(home.config().toRealPath().toString()) + ",\"folder\":\"/\"}";
    }

    @Test
    void socket_without_a_gateway_is_replaced() {
        try (SharedHome home = home()) {
            Path socket = left(home);
            assertThat(socket).exists();
            assertServed(home.client("next").hello("{}"));
            assertThat(home.gateways()).hasSize(1);
        }
    }

    @Test
    void socket_that_was_removed_is_placed_again_and_new_clients_find_the_same_gateway() throws IOException {
        try (SharedHome home = home()) {
            SharedClient ada = home.client("ada").hello("{}");
            String process = ada.call("s__who", "");
            long gateway = home.gateway();
            Path socket = socket(home);
            Files.delete(socket);
            eventually("the socket is there again", LONG, () -> Files.exists(socket));

            assertThat(home.client("ben").hello("{}").call("s__who", "")).isEqualTo(process);
            assertThat(ada.call("s__who", "")).isEqualTo(process);
            assertThat(home.gateways()).containsExactly(gateway);
        }
    }

    @Test
    void socket_that_was_removed_is_not_placed_again_while_another_gateway_is_being_started() throws IOException {
        try (SharedHome home = home()) {
            home.client("ada").hello("{}");
            Path socket = socket(home);
            Path lock = Path.of(socket.toString().replaceFirst("sock$", "lock"));
            try (FileChannel starting = FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
                starting.lock();
                Files.delete(socket);
                throughout("there is no socket", Duration.ofSeconds(3), () -> !Files.exists(socket));
            }
            eventually("the socket is there again", LONG, () -> Files.exists(socket));
        }
    }

    @Test
    void file_in_place_of_the_socket_is_left_alone() throws IOException {
        try (SharedHome home = home()) {
            Path socket = left(home);
            Files.delete(socket);
            Files.writeString(socket, "mine");
            SharedClient alone = home.client("alone").hello("{}");
            assertServed(alone);
            assertThat(Files.readString(alone.errors()))
                    .containsOnlyOnce("fusebox: not sharing a gateway: " + socket + " is not a socket; remove it");
            assertThat(socket).hasContent("mine");
            assertThat(home.gateways()).isEmpty();
        }
    }

    /// Another program that listens where a gateway was.
    private static ServerSocketChannel listening(SharedHome home) throws IOException {
        Path socket = left(home);
        Files.delete(socket);
        return ServerSocketChannel.open(StandardProtocolFamily.UNIX).bind(UnixDomainSocketAddress.of(socket));
    }

    @Test
    void program_that_listens_there_and_says_nothing_is_replaced() throws IOException {
        try (SharedHome home = home();
                ServerSocketChannel _ = listening(home)) {
            assertServed(home.client("next").hello("{}"));
            assertThat(home.gateways()).hasSize(1);
        }
    }

    @Test
    void gateway_of_another_link_version_means_a_gateway_of_its_own() throws IOException {
        try (SharedHome home = home();
                ServerSocketChannel other = listening(home)) {
            Thread.ofVirtual().start(() -> refuseAll(other));
            SharedClient alone = home.client("alone").hello("{}");
            assertServed(alone);
            assertThat(Files.readString(alone.errors()))
                    .containsOnlyOnce("fusebox: not sharing a gateway: it speaks another version");
        }
    }

    private static void refuseAll(ServerSocketChannel socket) {
        try {
            while (socket.isOpen()) {
                try (SocketChannel channel = socket.accept()) {
                    channel.write(ByteBuffer.wrap(
                            "{\"refused\":\"it speaks another version\"}\n".getBytes(StandardCharsets.UTF_8)));
                }
            }
        } catch (IOException closed) {
            // The test has ended.
            return;
        }
    }

    private static String log(SharedHome home) throws IOException {
        try (var files = Files.list(home.run().resolveSibling("log"))) {
            return files.map(Disk::read).collect(Collectors.joining());
        }
    }

    @Test
    void connection_that_is_not_from_a_connector_is_refused_and_does_not_disturb_clients() throws IOException {
        try (SharedHome home = home()) {
            SharedClient ada = home.client("ada").hello("{}");
            assertServed(ada);
            Path socket = socket(home);
            assertThat(said(socket, "GET / HTTP/1.1"))
                    .singleElement()
                    .asString()
                    .contains("refused");
            assertThat(said(socket, hello(home, 99))).singleElement().asString().contains("refused");
            assertThat(said(socket, "x".repeat(200_000))).allMatch(answer -> answer.contains("refused"));
            assertThat(said(socket, hello(home, 1).replace("config.json", "other.json")))
                    .singleElement()
                    .asString()
                    .contains("refused", "config.json");
            // One that says nothing is dropped after a while.
            assertThat(said(socket)).isEmpty();
            assertServed(ada);
            assertThat(log(home)).contains("gateway started").doesNotContain("internal error");
        }
    }

    @Test
    void variables_that_a_client_sends_unasked_are_ignored_and_a_flood_of_them_is_refused() throws IOException {
        try (SharedHome home = new SharedHome(folder)
                .server("s", ",\"env\":{\"TOKEN\":\"${TOKEN:-none}\"}")
                .save()) {
            SharedClient ada = home.variable("TOKEN", "mine").client("ada").hello("{}");
            assertServed(ada);
            Path socket = socket(home);
            StringBuilder many = new StringBuilder("{\"TOKEN\":\"other\"");
            for (int i = 0; i < 10_000; i++) {
                many.append(",\"LD_PRELOAD_").append(i).append("\":\"x\"");
            }
            // Accepted, with the variables that it was asked for. The line after them ends the conversation.
            assertThat(said(socket, hello(home, 1), many + "}", "mnot json", "quit")
                            .getLast())
                    .isNotEmpty();
            assertThat(said(socket, hello(home, 1), "{\"TOKEN\":\"" + "x".repeat(5 << 20) + "\"}"))
                    .hasSizeLessThan(2);
            assertThat(ada.call("s__who", "")).endsWith(" mine");
        }
    }

    @Test
    void folder_of_a_client_that_is_gone_is_named_by_the_servers_that_need_it() throws IOException {
        Path gone = Files.createDirectory(folder.resolve("gone"));
        try (SharedHome home = new SharedHome(folder)
                .server("s", "")
                .server("fixed", ",\"cwd\":\"/\"")
                .save()) {
            SharedClient ada = home.client("ada", gone, List.of()).hello("{}");
            Files.delete(gone);
            assertThat(ada.call("fixed__echo", "served")).isEqualTo("served");
            assertThat(ada.call("s__echo", "x")).contains("gone");
            SharedClient ben = home.client("ben").hello("{}");
            assertServed(ben);
        }
    }

    @Test
    void clients_that_start_at_once_share_one_gateway() {
        try (SharedHome home = home()) {
            List<SharedClient> clients = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                clients.add(home.client("c" + i));
            }
            Set<String> processes = new HashSet<>();
            for (SharedClient client : clients) {
                client.hello("{}");
                processes.add(client.call("s__who", ""));
            }
            assertThat(processes).hasSize(1);
            assertThat(home.gateways()).hasSize(1);
        }
    }

    @Test
    void unknown_profile_is_reported_once() {
        try (SharedHome home = home()) {
            SharedClient wrong = home.inProfile("wrong", "nope");
            eventually("it has ended", Duration.ofSeconds(40), () -> !wrong.isAlive());
            assertThat(Disk.read(wrong.errors())).containsOnlyOnce("nope").doesNotContain("not sharing");
        }
    }

    @Test
    void run_folder_of_others_is_made_private_or_not_used() throws IOException {
        try (SharedHome home = home()) {
            Files.createDirectory(
                    home.run(), PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
            assertServed(home.client("first").hello("{}"));
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(home.run())))
                    .isEqualTo("rwx------");
            assertThat(Objects.requireNonNull(socket(home).getFileName()).toString())
                    .startsWith("shared-");
        }
        Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
        try (SharedHome home = home()) {
            try (var files = Files.list(home.run())) {
                for (Path file : files.toList()) {
                    Files.delete(file);
                }
            }
            Files.delete(home.run());
            Files.createSymbolicLink(home.run(), elsewhere);
            SharedClient alone = home.client("alone").hello("{}");
            assertServed(alone);
            assertThat(Files.readString(alone.errors())).contains("fusebox: not sharing a gateway: ");
            assertThat(elsewhere).isEmptyDirectory();
        }
    }

    /// The connector answers it: a gateway never gets a longer line.
    @Test
    void message_over_the_limit_is_answered_with_its_id_and_the_limit() {
        try (SharedHome home = home()) {
            SharedClient ada = home.client("ada").hello("{}");
            JsonView answer = ada.await(ada.sendCall("s__echo", "x".repeat(17 << 20)));
            assertThat(answer.path("error", "message"))
                    .asString()
                    .contains("exceeds the limit of 16777216 bytes", "it was not processed");
            assertServed(ada);
        }
    }
}
