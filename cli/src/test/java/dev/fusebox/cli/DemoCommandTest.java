package dev.fusebox.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.platform.Platform;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The arguments of the command `demo`. What it plays is tested in the module `demo`.
class DemoCommandTest {
    @Test
    void unknown_argument_is_refused() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        CommandOutput output = new CommandOutput(printer(out), printer(err), false);

        assertThat(new DemoCommand(Platform.system()).run(List.of("--scrpt"), output))
                .isEqualTo(ExitStatus.USAGE);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("--script").contains("\"--scrpt\"");
        assertThat(out.toString(StandardCharsets.UTF_8)).isEmpty();
    }

    private static PrintStream printer(ByteArrayOutputStream to) {
        return new PrintStream(to, true, StandardCharsets.UTF_8);
    }
}
