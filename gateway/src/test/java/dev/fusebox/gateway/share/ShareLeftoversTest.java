package dev.fusebox.gateway.share;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.gateway.admin.RunFolder;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ShareLeftoversTest {
    private static final String ONE = "shared-00000000000000a1";
    private static final String OTHER = "shared-00000000000000b2";

    @TempDir
    Path home;

    private RunFolder run;

    @BeforeEach
    void open() throws IOException {
        run = new RunFolder(home.resolve("run")).made();
    }

    private Path file(String name) throws IOException {
        return Files.createFile(run.path().resolve(name));
    }

    private ServerSocketChannel listening(String name) throws IOException {
        ServerSocketChannel channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        channel.bind(UnixDomainSocketAddress.of(run.path().resolve(name)));
        return channel;
    }

    /// As a killed gateway leaves it.
    private Path deadSocket(String name) throws IOException {
        listening(name).close();
        return run.path().resolve(name);
    }

    @Test
    void files_of_a_killed_gateway_are_found_and_removed() throws IOException {
        List<Path> left = List.of(
                deadSocket(ONE + ".4194999"),
                file(ONE + ".lock"),
                deadSocket(ONE + ".sock"),
                file(ONE + ".start"),
                file(OTHER + ".start"));
        Path token = file("admin.token");
        assertThat(ShareLeftovers.in(run)).containsExactlyElementsOf(left);
        assertThat(left).allSatisfy(each -> assertThat(each).exists());
        assertThat(ShareLeftovers.remove(run)).containsExactlyElementsOf(left);
        assertThat(token).exists();
        assertThat(run.path().toFile().list()).hasSize(1);
        assertThat(ShareLeftovers.in(run)).isEmpty();
    }

    @Test
    void files_of_a_gateway_that_runs_stay() throws IOException {
        file(ONE + ".lock");
        file(ONE + ".start");
        try (ServerSocketChannel _ = listening(ONE + ".sock")) {
            assertThat(ShareLeftovers.in(run)).isEmpty();
            ShareLeftovers.remove(run);
            assertThat(run.path().toFile().list()).hasSize(3);
        }
    }

    @Test
    void look_at_a_gateway_that_runs_leaves_no_lock() throws IOException {
        try (ServerSocketChannel _ = listening(ONE + ".sock")) {
            assertThat(ShareLeftovers.in(run)).isEmpty();
            assertThat(run.path().toFile().list()).containsExactly(ONE + ".sock");
        }
    }

    @Test
    void files_of_a_gateway_that_is_being_started_stay() throws IOException {
        Path lock = file(ONE + ".lock");
        file(ONE + ".start");
        try (StartLock _ = StartLock.tryTake(lock)) {
            assertThat(ShareLeftovers.in(run)).isEmpty();
            ShareLeftovers.remove(run);
            assertThat(run.path().toFile().list()).hasSize(2);
        }
    }

    @Test
    void look_without_a_run_folder_finds_nothing() throws IOException {
        assertThat(ShareLeftovers.in(new RunFolder(home.resolve("none")))).isEmpty();
    }
}
