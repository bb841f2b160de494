package dev.fusebox.config;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Names by which clients and commands mean the gateway, its tool, or standard input.
class ReservedNameTest {
    private static String file(String name) {
        return "{\"mcpServers\":{\"" + name + "\":{\"command\":\"c\"}}}";
    }

    @ParameterizedTest
    @ValueSource(strings = {"fusebox", "Fusebox", "FUSEBOX", "mcp_call", "MCP_Call", "-"})
    void file_with_a_server_of_a_reserved_name_is_refused(String name) {
        assertThat(Reads.verdict(file(name)))
                .hasSize(2)
                .anySatisfy(line -> assertThat(line)
                        .startsWith("f.json:1:16: ")
                        .contains("which is reserved", "another name than fusebox, mcp_call or -"))
                .contains("refused");
    }

    @ParameterizedTest
    @ValueSource(strings = {"fusebox-2", "my_mcp_call", "--", "mcp", "call"})
    void name_that_only_resembles_a_reserved_one_is_not_refused(String name) {
        assertThat(Reads.verdict(file(name))).containsExactly("usable: " + name + " ready");
    }
}
