package dev.fusebox.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// F103: a gateway serves in a broken environment.
@Tag("process")
@Timeout(120)
class OddSurroundingsProcessTest {
    private static final List<String> ODD =
            List.of("env", "-u", "HOME", "-u", "FUSEBOX_HOME", "TZ=Mars/Phobos", "TMPDIR=/nowhere", "LC_ALL=POSIX");

    @TempDir
    private Path folder;

    @Test
    void gateway_serves_without_home_with_wrong_clock_and_locale() throws Exception {
        try (RunningGateway gateway = RunningGateway.by(ODD, folder, "a")) {
            gateway.server("a", "größer").save();
            gateway.eventuallySays("changed a");
            assertThat(gateway.call("a", "who")).startsWith("größer ");
            assertThat(gateway.errorText().lines().filter(line -> line.contains("cannot open the schema cache")))
                    .hasSize(1);
        }
    }
}
