package dev.fusebox.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import org.junit.jupiter.api.Test;

/// The reason is told beside the path.
class FileErrorTextTest {
    @Test
    void inaccessible_path_is_reported_with_reason() {
        assertThat(FileErrorText.text(new AccessDeniedException("/x/y.json")))
                .startsWith("permission denied")
                .endsWith(": /x/y.json");
    }

    @Test
    void missing_path_is_reported_with_reason() {
        assertThat(FileErrorText.text(new NoSuchFileException("/x"))).isEqualTo("no such file: /x");
    }

    @Test
    void existing_reason_is_kept() {
        assertThat(FileErrorText.text(new FileSystemException("/x", null, "Read-only file system")))
                .isEqualTo("/x: Read-only file system");
        assertThat(FileErrorText.text(new IOException("No space left on device")))
                .isEqualTo("No space left on device");
    }
}
