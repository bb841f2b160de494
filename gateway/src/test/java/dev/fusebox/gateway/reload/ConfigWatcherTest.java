package dev.fusebox.gateway.reload;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import dev.fusebox.config.Configuration;
import dev.fusebox.config.ContentCheck;
import dev.fusebox.config.Overrides;
import dev.fusebox.config.ServerConfig;
import dev.fusebox.gateway.observe.CapturedLog;
import dev.fusebox.gateway.observe.ConfigEvent;
import dev.fusebox.platform.Platform;
import dev.fusebox.testkit.ManualTime;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// File changes of all kinds on a real file system, with a clock moved by the test: the times hold on a slow
/// machine, too.
@Timeout(60)
class ConfigWatcherTest {
    private static final Duration LOOK = Duration.ofMillis(200);

    @TempDir
    private Path folder = Path.of("");

    private final ManualTime time = new ManualTime();
    private final List<ConfigEvent> events = new CopyOnWriteArrayList<>();
    private final List<List<String>> applied = new CopyOnWriteArrayList<>();
    private Path file;
    private ConfigWatcher watch;
    private volatile Optional<String> objection = Optional.empty();

    @BeforeEach
    void begin() throws Exception {
        Path inside = Files.createDirectory(folder.resolve("etc"));
        watch(inside.resolve("config.json"), inside.resolve("config.json"), text("a"));
    }

    /// @param place the location of the first configuration's text
    private void watch(Path path, Path place) throws Exception {
        watch(path, place, text("a"));
    }

    private void watch(Path path, Path place, String content) throws Exception {
        if (watch != null) {
            watch.close();
            eventually("no timer is pending", () -> assertThat(time.pending()).isEqualTo(0));
        }
        file = path;
        Platform platform = time.platform();
        Configuration first = new Disk(place).read(platform, content);
        watch = ConfigWatcher.begin(
                platform,
                new ConfigReload(
                        new ConfigReload.Source(platform, file, Overrides.NONE), first, this::become, events::add));
        time.awaitPending(1);
    }

    private Optional<String> become(Configuration next, ConfigDifference difference) {
        if (objection.isEmpty()) {
            applied.add(next.servers().stream().map(ServerConfig::id).toList());
        }
        return objection;
    }

    @AfterEach
    void end() {
        watch.close();
    }

    private static String text(String server) {
        return "{\"mcpServers\":{\"" + server + "\":{\"command\":\"c\"}}}";
    }

    /// Waits until the next change gets a later timestamp than the last one. The clock of a file system may move in
    /// steps of milliseconds, and a change with the same size and time is found only when the file is read again.
    private void awaitNextTimestamp() {
        Path probe = folder.resolve("probe");
        eventually("the clock of the file system has moved", () -> {
            try {
                assertThat(Files.getLastModifiedTime(Files.writeString(probe, "x")))
                        .isGreaterThan(Files.getLastModifiedTime(file));
            } catch (IOException unreadable) {
                throw new UncheckedIOException(unreadable);
            }
        });
    }

    /// One look at a time.
    private void pass(Duration by) throws InterruptedException {
        for (Duration left = by; left.isPositive(); left = left.minus(LOOK)) {
            time.awaitPending(1);
            time.advance(LOOK);
            time.awaitPending(1);
        }
    }

    private List<String> names() {
        return events.stream().map(ConfigEvent::type).toList();
    }

    @Test
    void file_that_was_partly_wrong_from_the_start_is_no_rejected_change() throws Exception {
        String partly = "{\"mcpServers\":{\"a\":{\"command\":\"c\"},\"b\":{\"command\":7}}}";
        watch(file, file, partly);
        pass(Duration.ofSeconds(4));
        assertThat(events).isEmpty();

        awaitNextTimestamp();
        Files.writeString(file, partly.replace("\"c\"", "\"d\""));
        pass(Duration.ofSeconds(4));
        assertThat(names()).containsExactly("config.rejected");
    }

    @Test
    void warnings_of_a_changed_file_are_logged_once() throws Exception {
        String renamed = "\"a/b\":{\"command\":\"c\"}}}";
        try (CapturedLog log = CapturedLog.of(ConfigReload.class)) {
            Files.writeString(file, "{\"mcpServers\":{" + renamed);
            pass(Duration.ofSeconds(3));
            assertThat(log.lines()).singleElement(as(STRING)).contains("is used as \"a-b\"");

            Files.writeString(file, "{\"mcpServers\":{\"more\":{\"command\":\"c\"},\n" + renamed);
            pass(Duration.ofSeconds(3));
            assertThat(applied).hasSize(2);
            assertThat(log.lines()).hasSize(1);
        }
    }

    /// The ways in which people and programs write a file.
    enum Manner {
        TRUNCATE_AND_WRITE {
            @Override
            void write(Path file, String text) throws IOException {
                Files.writeString(file, text);
            }
        },
        RENAME_OVER {
            @Override
            void write(Path file, String text) throws IOException {
                Path other = Files.writeString(file.resolveSibling("config.json~"), text);
                Files.move(other, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            }
        },
        DELETE_AND_RETURN {
            @Override
            void write(Path file, String text) throws IOException {
                Files.delete(file);
                Files.writeString(file, text);
            }
        },
        KEEP_THE_OLD_ONE_BESIDE_IT {
            @Override
            void write(Path file, String text) throws IOException {
                Files.move(file, file.resolveSibling("config.json.bak"), StandardCopyOption.REPLACE_EXISTING);
                Files.writeString(file, text);
            }
        },
        REPLACE_THE_FOLDER {
            @Override
            void write(Path file, String text) throws IOException {
                Path etc = Objects.requireNonNull(file.getParent());
                Path next = Files.createDirectories(etc.resolveSibling("next"));
                Files.writeString(next.resolve(file.getFileName()), text);
                Files.move(etc, etc.resolveSibling("old" + System.identityHashCode(text)));
                Files.move(next, etc);
            }
        },
        SAME_SIZE_AND_TIME {
            @Override
            void write(Path file, String text) throws IOException {
                FileTime before = Files.getLastModifiedTime(file);
                Files.writeString(file, text);
                Files.setLastModifiedTime(file, before);
            }
        };

        abstract void write(Path file, String text) throws IOException;
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "SAME_SIZE_AND_TIME")
    void every_kind_of_change_is_applied_within_two_seconds(Manner manner) throws Exception {
        for (String server : List.of("b", "c", "d")) {
            awaitNextTimestamp();
            manner.write(file, text(server));
            pass(Duration.ofSeconds(1));
            assertThat(applied.getLast()).containsExactly(server);
        }
        assertThat(applied).hasSize(3);
        assertThat(names()).containsOnly("config.applied");
    }

    @Test
    void change_with_equal_timestamp_is_found() throws Exception {
        awaitNextTimestamp();
        Manner.TRUNCATE_AND_WRITE.write(file, text("b"));
        pass(Duration.ofSeconds(1));
        assertThat(applied).containsExactly(List.of("b"));
        Manner.SAME_SIZE_AND_TIME.write(file, text("c"));
        pass(Duration.ofSeconds(3));
        assertThat(applied).containsExactly(List.of("b"), List.of("c"));
    }

    @Test
    void replaced_link_in_a_parent_path_is_a_change() throws Exception {
        for (String version : List.of("v1", "v2", "v3")) {
            Path there = Files.createDirectory(folder.resolve(version));
            Files.writeString(there.resolve("config.json"), text(version));
            // With equal time stamps, as from an archive.
            Files.setLastModifiedTime(there.resolve("config.json"), FileTime.from(Instant.EPOCH));
        }
        Path data = Files.createSymbolicLink(folder.resolve("data"), Path.of("v1"));
        Path link = Files.createSymbolicLink(folder.resolve("link.json"), Path.of("data/config.json"));
        watch(link, folder.resolve("first.json"));
        pass(Duration.ofSeconds(3));
        for (String version : List.of("v2", "v3")) {
            Path next = Files.createSymbolicLink(folder.resolve("next"), Path.of(version));
            Files.move(next, data, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            pass(Duration.ofSeconds(1));
            assertThat(applied.getLast()).containsExactly(version);
        }
    }

    @Test
    void link_replaced_twice_quickly_is_read_once_with_its_final_target() throws Exception {
        for (String version : List.of("v2", "v3")) {
            Files.writeString(folder.resolve(version), text(version));
        }
        for (String version : List.of("v2", "v3")) {
            Path next = Files.createSymbolicLink(folder.resolve("next"), folder.resolve(version));
            Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            pass(LOOK);
        }
        pass(Duration.ofSeconds(4));
        assertThat(applied).containsExactly(List.of("v3"));
    }

    @Test
    void missing_file_is_reported_once_on_request_and_applied_when_it_reappears() throws Exception {
        Files.delete(file);
        for (int i = 0; i < 3; i++) {
            watch.readNow();
            pass(Duration.ofSeconds(1));
        }
        assertThat(names()).containsExactly("config.rejected");
        assertThat(applied).isEmpty();
        Files.writeString(file, text("b"));
        pass(Duration.ofSeconds(1));
        assertThat(applied).containsExactly(List.of("b"));
        assertThat(names()).containsExactly("config.rejected", "config.applied");
    }

    @Test
    void half_written_file_is_neither_applied_nor_rejected() throws Exception {
        String whole = text("b");
        Files.writeString(file, whole.substring(0, whole.length() / 2));
        pass(Duration.ofMillis(600));
        assertThat(events).isEmpty();
        Files.writeString(file, whole.substring(whole.length() / 2), StandardOpenOption.APPEND);
        pass(Duration.ofSeconds(1));
        assertThat(applied).containsExactly(List.of("b"));
        assertThat(names()).containsExactly("config.applied");
    }

    @Test
    void invalid_file_is_rejected_once_with_location_and_next_valid_one_is_applied() throws Exception {
        Files.writeString(file, "{\n  \"mcpServers\": {\n    \"b\" {}}}");
        pass(Duration.ofSeconds(6));
        assertThat(applied).isEmpty();
        assertThat(events)
                .singleElement()
                .isInstanceOfSatisfying(
                        ConfigEvent.Rejected.class,
                        rejected -> assertThat(rejected.summary())
                                .contains("config.json:3:")
                                .contains("is not JSON")
                                .doesNotContain("\n"));
        Files.writeString(file, text("b"));
        pass(Duration.ofSeconds(1));
        assertThat(applied).containsExactly(List.of("b"));
    }

    @Test
    void error_in_one_server_rejects_the_whole_change() throws Exception {
        Files.writeString(file, "{\"mcpServers\":{\"b\":{\"command\":\"c\"},\"d\":{\"command\":\"c\",\"args\":1}}}");
        pass(Duration.ofSeconds(2));
        assertThat(applied).isEmpty();
        assertThat(events)
                .singleElement()
                .isInstanceOfSatisfying(
                        ConfigEvent.Rejected.class,
                        rejected -> assertThat(rejected.problems())
                                .singleElement()
                                .asString()
                                .contains("config.json:1:")
                                .contains("/mcpServers/d/args"));
    }

    @Test
    void deleted_file_changes_nothing_and_may_reappear() throws Exception {
        Files.delete(file);
        pass(Duration.ofSeconds(3));
        assertThat(names()).containsExactly("config.rejected");
        Files.writeString(file, text("a"));
        pass(Duration.ofSeconds(1));
        assertThat(applied).isEmpty();
        assertThat(names()).containsExactly("config.rejected", "config.applied");
    }

    @Test
    void equivalent_rewrite_is_silent() throws Exception {
        Files.writeString(file, "// nothing new\n" + text("a"));
        pass(Duration.ofSeconds(5));
        assertThat(events).isEmpty();
    }

    @Test
    void burst_of_changes_ends_with_the_last_one_applied() throws Exception {
        for (int i = 0; i < 100; i++) {
            for (int each = 0; each < 20; each++) {
                Manner.RENAME_OVER.write(file, text("s" + i + "-" + each));
            }
            pass(LOOK);
        }
        // In 20 s of it: every 1.2 s at most.
        assertThat(applied).hasSizeBetween(10, 20);
        pass(Duration.ofSeconds(1));
        assertThat(applied.getLast()).containsExactly("s99-19");
        assertThat(names()).containsOnly("config.applied");
    }

    @Test
    void change_that_cannot_be_applied_is_rejected_and_retried_when_it_changes() throws Exception {
        objection = Optional.of("it cannot");
        awaitNextTimestamp();
        Files.writeString(file, text("b"));
        pass(Duration.ofSeconds(1));
        assertThat(events).containsExactly(new ConfigEvent.Rejected(List.of("it cannot")));
        objection = Optional.empty();
        awaitNextTimestamp();
        Files.writeString(file, text("c"));
        pass(Duration.ofSeconds(1));
        assertThat(applied).containsExactly(List.of("c"));
    }

    @Test
    void exception_while_applying_does_not_end_the_watch() throws Exception {
        watch.close();
        eventually("no timer is pending", () -> assertThat(time.pending()).isEqualTo(0));
        Platform platform = time.platform();
        Configuration first = new Disk(file).read(platform, text("a"));
        ConfigReload.Running buggy = (next, difference) -> {
            if (next.servers().getFirst().id().equals("b")) {
                throw new IllegalStateException("a bug");
            }
            return become(next, difference);
        };
        watch = ConfigWatcher.begin(
                platform,
                new ConfigReload(new ConfigReload.Source(platform, file, Overrides.NONE), first, buggy, events::add));
        awaitNextTimestamp();
        Files.writeString(file, text("b"));
        pass(Duration.ofSeconds(1));
        awaitNextTimestamp();
        Files.writeString(file, text("c"));
        pass(Duration.ofSeconds(1));
        assertThat(applied).containsExactly(List.of("c"));
    }

    @Test
    void request_reads_the_file_at_once() throws Exception {
        Files.writeString(file, text("b"));
        watch.readNow();
        eventually(
                "the configuration with server b is applied",
                () -> assertThat(applied).isEqualTo(List.of(List.of("b"))));
    }

    @Test
    void pipe_is_never_read_again() throws Exception {
        Path pipe = folder.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        watch(pipe, folder.resolve("first.json"));
        pass(Duration.ofSeconds(4));
        assertThat(events).isEmpty();
        watch.readNow();
        pass(Duration.ofSeconds(1));
        assertThat(names()).containsExactly("config.rejected");
    }

    @Test
    void closed_watcher_applies_nothing() throws Exception {
        watch.close();
        Files.writeString(file, text("b"));
        time.advance(Duration.ofSeconds(10));
        assertThat(applied).isEmpty();
        eventually("no timer is pending", () -> assertThat(time.pending()).isEqualTo(0));
    }

    @Test
    void unapproved_content_is_rejected_once_and_applied_when_approved() throws Exception {
        watch.close();
        Path record = folder.resolve("record");
        ContentCheck check =
                text -> Files.exists(record) ? Optional.empty() : Optional.of("has changed since it was allowed");
        Platform platform = time.platform();
        Configuration first = new Disk(file).read(time.platform(), text("a"));
        ConfigReload.Source source = new ConfigReload.Source(platform, file, Overrides.NONE, check, record);
        watch = ConfigWatcher.begin(platform, new ConfigReload(source, first, this::become, events::add));
        time.awaitPending(1);

        Files.writeString(file, text("b"));
        pass(Duration.ofSeconds(6));
        watch.readNow();
        pass(Duration.ofSeconds(1));
        assertThat(events)
                .singleElement()
                .isEqualTo(new ConfigEvent.Rejected(
                        List.of(file + ": the configuration has changed since it was allowed")));
        assertThat(applied).isEmpty();

        Files.writeString(record, "allowed");
        pass(Duration.ofSeconds(2));
        assertThat(applied).containsExactly(List.of("b"));
    }
}
