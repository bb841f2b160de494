package dev.fusebox.client.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.redaction.Redactor;
import dev.fusebox.platform.Platform;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Stderr lines that are passed on.
class StderrReaderTest {
    private final List<String> logged = new ArrayList<>();
    private final StderrReader log = new StderrReader(
            Platform.system(),
            (line, dropped) -> logged.add(line + "|" + dropped),
            Redactor.of(List.of("sesame-open-up")));

    private void write(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        log.accept(bytes, bytes.length);
    }

    @Test
    void secret_that_continues_after_an_oversized_line_is_hidden() {
        write("x".repeat(5_000) + "sesame-o\npen-up, it is\nand open-up\n");

        assertThat(logged).containsExactly("***, it is|1", "and open-up|0");
    }
}
