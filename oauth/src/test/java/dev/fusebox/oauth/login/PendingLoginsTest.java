package dev.fusebox.oauth.login;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fusebox.client.ErrorId;
import dev.fusebox.platform.Platform;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PendingLoginsTest {
    private static final URI PAGE = URI.create("https://as.example/authorize?state=s1");

    @TempDir
    private Path base;

    private PendingLogins logins() {
        return new PendingLogins(Platform.system(), base.resolve("tokens"));
    }

    private PendingLogins.Turn taken(String server) throws IOException {
        return Objects.requireNonNull(logins().tryTake(server));
    }

    private Path published() throws IOException {
        try (Stream<Path> files = Files.list(base.resolve("tokens"))) {
            return files.filter(file -> file.toString().endsWith(".json"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    @Test
    void turn_is_free_for_another_when_it_is_closed() throws IOException {
        PendingLogins.Turn first = taken("a");
        assertThat(logins().tryTake("a")).isNull();
        taken("b").close();
        first.close();
        taken("a").close();
    }

    @Test
    void published_login_is_found_by_others_and_its_file_is_private() throws IOException {
        try (PendingLogins.Turn turn = taken("a")) {
            turn.begin();
            assertThat(logins().find("a")).isNull();
            turn.publish(PAGE, "AB-CD");
            PendingLogin found = Objects.requireNonNull(logins().find("a"));
            assertThat(found.url()).isEqualTo(PAGE);
            assertThat(found.userCode()).isEqualTo("AB-CD");
            assertThat(found.pid()).isEqualTo(ProcessHandle.current().pid());
            assertThat(found.failure()).isNull();
            assertThat(found.toString()).doesNotContain("s1", "AB-CD");
            assertThat(logins().find("b")).isNull();
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(published())))
                    .isEqualTo("rw-------");
        }
    }

    @Test
    void failure_stays_until_the_next_login_begins() throws IOException {
        try (PendingLogins.Turn turn = taken("a")) {
            turn.publish(PAGE, null);
            turn.failed(ErrorId.LOGIN_FAILED, "access was denied");
        }
        try (PendingLogins.Turn next = taken("a")) {
            assertThat(Objects.requireNonNull(next.last()).failure()).isEqualTo("access was denied");
            next.begin();
            assertThat(next.last()).isNull();
        }
    }

    @Test
    void success_leaves_nothing_to_join() throws IOException {
        try (PendingLogins.Turn turn = taken("a")) {
            turn.publish(PAGE, null);
            turn.succeeded();
            assertThat(logins().find("a")).isNull();
        }
    }

    @Test
    void failure_before_anything_was_published_is_not_stored() throws IOException {
        try (PendingLogins.Turn turn = taken("a")) {
            turn.failed(ErrorId.RESOURCE_METADATA_MISSING, "no metadata");
            assertThat(turn.last()).isNull();
        }
    }

    @Test
    void damaged_file_is_no_login() throws IOException {
        try (PendingLogins.Turn turn = taken("a")) {
            turn.publish(PAGE, null);
        }
        for (String content : List.of(
                "",
                "{}",
                "[]",
                "{\"url\":\"\\u0000\",\"pid\":1,\"atMs\":1}",
                "{\"url\":\"a\"," + "\"pid\":\"x\",\"atMs\":1}")) {
            Files.writeString(published(), content);
            assertThat(logins().find("a")).as(content).isNull();
        }
    }

    @Test
    void file_that_others_can_write_is_refused() throws IOException {
        try (PendingLogins.Turn turn = taken("a")) {
            turn.publish(PAGE, null);
        }
        Files.setPosixFilePermissions(published(), PosixFilePermissions.fromString("rw-rw-rw-"));
        assertThatThrownBy(() -> logins().find("a")).isInstanceOf(IOException.class);
    }
}
