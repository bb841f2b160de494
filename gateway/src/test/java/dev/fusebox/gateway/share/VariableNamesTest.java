package dev.fusebox.gateway.share;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VariableNamesTest {
    @TempDir
    Path folder;

    @Test
    void names_in_values_are_found_and_keys_are_none() throws IOException {
        Path file = Files.writeString(folder.resolve("config.json"), """
                {"mcpServers": {"jira": {
                  "command": "${HOME}/bin/${env:PROGRAM:-jira}", "disabled" : true,
                  "env": {"TOKEN": "Bearer ${KEY}"}, "inheritEnv": ["ONE", "TWO"]}}}
                """);
        assertThat(VariableNames.in(file))
                .contains("HOME", "PROGRAM", "KEY", "ONE", "TWO")
                .doesNotContain("jira", "command", "disabled", "env", "TOKEN", "inheritEnv");
    }
}
