package dev.fusebox.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.protocol.JsonWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// `bench/soak`: no resources are leaked after calls, crashes, reconnects, reloads and clients that disconnect
/// abruptly.
///
/// Over five seconds: leaks are slow, so the gateway works for half a minute, and is measured at rest before and
/// after that. With `-Dlong` it works for three minutes.
@Tag("soak")
@Timeout(600)
class SoakTest {
    private static final Duration LIMIT = Duration.ofMinutes(8);

    @Test
    void no_resources_leak_under_mixed_load() {
        Path root = Path.of("..").toAbsolutePath().normalize();
        List<String> command = new ArrayList<>(List.of(
                "node", root.resolve("bench/src/main/js/promises/main.mjs").toString(), "P14"));
        if (System.getProperty("long") == null) {
            command.add("--quick");
        }
        ProcessBuilder soak = new ProcessBuilder(command).directory(root.toFile());
        JsonWriter launch = new JsonWriter().beginArray();
        JavaProgram.gateway().forEach(launch::string);
        soak.environment().put("FUSEBOX_LAUNCH", launch.endArray().toString());
        soak.environment().put("JAVA_HOME", System.getProperty("java.home"));
        Run run = Run.of(soak, LIMIT);
        System.out.print(run.out());
        assertThat(run.code()).as(run.toString()).isZero();
    }
}
