package dev.fusebox.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UnsharedProgramsTest {
    private static ServerEndpoint process(String line) {
        List<String> words = Arrays.asList(line.split(" "));
        return new ServerEndpoint.Stdio(
                words.getFirst(), words.subList(1, words.size()), Map.of(), List.of(), null, List.of());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "npx -y @playwright/mcp@latest --headless",
                "npx @modelcontextprotocol/server-puppeteer",
                "/usr/bin/chrome-devtools-mcp",
                "npx -y @wonderwhy-er/desktop-commander",
                "npx @modelcontextprotocol/server-sequential-thinking",
                "npx -y @modelcontextprotocol/server-everything",
                "uvx Browser_Use"
            })
    void program_that_keeps_something_for_its_client_is_not_shared(String line) {
        assertThat(UnsharedPrograms.include(process(line))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "npx -y @modelcontextprotocol/server-filesystem /tmp",
                "uvx mcp-server-git",
                "npx @modelcontextprotocol/server-memory",
                "node everything.js",
                "npx filebrowserx"
            })
    void other_programs_may_be_shared(String line) {
        assertThat(UnsharedPrograms.include(process(line))).isFalse();
    }
}
