package dev.fusebox.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Over five seconds: the first test of a build creates the AOT cache.
@Tag("process")
@Timeout(300)
class LaunchedTest {
    /// With this mode a JVM exits with an error instead of ignoring a cache that it cannot use.
    private static final String CACHE_REQUIRED = "-XX:AOTMode=on";

    private static final long LIMIT_SECONDS = 60;

    @Test
    void application_starts_from_its_cache() throws Exception {
        List<String> command = Launched.with(List.of(CACHE_REQUIRED), "version");
        assertThat(command).anyMatch(word -> word.startsWith("-XX:AOTCache="));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        // Prints a line or two, which the pipe holds until the process has ended.
        boolean hasEnded = process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS);
        if (!hasEnded) {
            process.destroyForcibly();
        }
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(hasEnded).as("has ended in time: " + output).isTrue();
        assertThat(process.exitValue()).as(output).isZero();
    }
}
