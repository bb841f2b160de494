package dev.fusebox.client.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.redaction.Redactor;
import dev.fusebox.platform.Platform;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What is logged of the errors of a child.
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
    void of_a_secret_that_begins_at_the_end_of_a_line_that_is_too_long_the_second_half_is_hidden_too() {
        write("x".repeat(5_000) + "sesame-o\npen-up, it is\nand open-up\n");

        assertThat(logged).containsExactly("***, it is|1", "and open-up|0");
    }
}
