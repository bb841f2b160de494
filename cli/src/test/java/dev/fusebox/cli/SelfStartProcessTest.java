package dev.fusebox.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A server that turns out to be the gateway itself, as processes. Over five seconds: three JVMs start, one after
/// the other.
@Tag("process")
@Timeout(120)
class SelfStartProcessTest {
    @TempDir
    private Path folder;

    @Test
    void gateway_behind_script_does_not_serve_own_file() throws Exception {
        Path file = folder.resolve("config.json");
        Path starts = folder.resolve("starts");
        Path script = folder.resolve("innocent");
        String again = Launched.command("serve", "--config", file.toString()).stream()
                .map(word -> "'" + word + "'")
                .collect(Collectors.joining(" "));
        Disk.write(script, "#!/bin/sh\necho started >>" + starts + "\nexec " + again + "\n", true);
        Disk.write(file, "{\"mcpServers\":{\"again\":{\"command\":\"" + script + "\"}}}", false);

        ProcessBuilder builder = new ProcessBuilder(
                        Launched.command("doctor", "--config", file.toString(), "--timeout", "60000"))
                .redirectErrorStream(true);
        builder.environment().put("HOME", folder.toString());
        builder.environment().remove("FUSEBOX_HOME");
        Process doctor = builder.start();
        doctor.getOutputStream().close();
        String said = new String(doctor.getInputStream().readAllBytes(), UTF_8);

        assertThat(doctor.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(doctor.exitValue()).as(said).isEqualTo(1);
        assertThat(said).contains("not serving " + file, "remove the server that starts Fusebox from the file");
        // One that starts the next without end would have left a line for each.
        List<String> lines = Files.readAllLines(starts);
        assertThat(lines.size()).as("starts").isBetween(1, 3);
    }
}
