package dev.fusebox.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.config.edit.AtomicFile;
import dev.fusebox.config.edit.ClientFile;
import dev.fusebox.platform.Platform;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `init --undo` after an `init` that was killed.
class KilledInitTest {
    @TempDir
    private Path folder;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    private ClientHome home;
    private Platform platform;
    private Path file;

    @BeforeEach
    void open() {
        home = new ClientHome(folder);
        platform = Platform.system().withEnvironment(Map.of("HOME", folder.toString()));
        file = home.write(ClientFile.CURSOR, "{\"mcpServers\":{\"docs\":{\"command\":\"x\"}}}");
    }

    private ExitStatus init(String... words) {
        PrintStream all = new PrintStream(out, true, UTF_8);
        return new InitCommand(platform, "/opt/fusebox/fusebox", (config, servers, shown) -> {})
                .run(List.of(words), new CommandOutput(all, all, false));
    }

    @Test
    void crash_between_record_and_change_leaves_nothing_to_undo() throws IOException {
        Map<String, String> before = home.everything();
        ChangeRecords.of(platform)
                .begin(Optional.of(ClientFile.CURSOR), AtomicFile.read(file), "{}".getBytes(UTF_8), List.of());

        assertThat(init("--undo")).isEqualTo(ExitStatus.DONE);

        assertThat(out.toString(UTF_8))
                .contains("Cursor, " + file + ": unchanged")
                .doesNotContain("Restart these clients");
        assertThat(home.everything()).isEqualTo(before);
    }

    @Test
    void temporary_file_of_killed_init_is_deleted_by_undo() throws IOException {
        Map<String, String> before = home.everything();
        ChangeRecords.of(platform)
                .begin(Optional.of(ClientFile.CURSOR), AtomicFile.read(file), "{}".getBytes(UTF_8), List.of());
        Disk.write(file.resolveSibling("." + file.getFileName() + ".1.fusebox.tmp"), "{\"token\":", false);

        assertThat(init("--undo")).isEqualTo(ExitStatus.DONE);

        assertThat(home.everything()).isEqualTo(before);
    }

    @Test
    void orphaned_original_is_ignored_by_version_control() throws IOException {
        ChangeRecords records = ChangeRecords.of(platform);
        ChangeRecord record =
                records.begin(Optional.of(ClientFile.CURSOR), AtomicFile.read(file), "{}".getBytes(UTF_8), List.of());
        Path orphan = records.file(record).resolveSibling("0-1-1.before");
        Files.copy(records.file(record), orphan);

        assertThat(init("--undo")).isEqualTo(ExitStatus.DONE);

        assertThat(orphan.resolveSibling(".gitignore")).hasContent("*");
    }
}
