package dev.fusebox.gateway.reload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.config.Configuration;
import dev.fusebox.gateway.reload.ConfigDifference.Change;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigDifferenceTest {
    private static final String TWO = """
            {"mcpServers": {
               "one": {"command": "c", "args": ["a"], "env": {"A": "1", "B": "2"}},
               "two": {"url": "https://tools.test/mcp", "headers": {"X": "1", "Y": "2"},
                       "proxy": "http://me:s@p.test"}},
             "http": {"port": 0}}""";

    @TempDir
    private Path folder = Path.of("");

    private Disk disk;

    @BeforeEach
    void begin() {
        disk = new Disk(folder.resolve("f.json"));
    }

    private Configuration read(String text) throws IOException {
        return disk.read(text);
    }

    private ConfigDifference to(String text) throws IOException {
        return ConfigDifference.between(read(TWO), read(text));
    }

    @Test
    void order_comments_white_space_and_explicit_defaults_are_no_difference() throws IOException {
        ConfigDifference difference = to("""
                // in reverse order
                {"http": {"port": 0, "host": "127.0.0.1"},
                 "breaker": {"failureThreshold": 5,},
                 "mcpServers": {
                   "two": {"proxy": "http://me:s@p.test", "headers": {"Y": "2", "X": "1"}, "type": "http",
                           "url": "https://tools.test/mcp", "disabled": false},
                   /* first */ "one": {"env": {"B": "2", "A": "1"}, "args": ["a"], "command": "c"}}}""");
        assertThat(difference.isEmpty()).isTrue();
        assertThat(difference).hasToString("no changes");
    }

    @Test
    void added_removed_and_renamed_servers_are_differences() throws IOException {
        ConfigDifference difference = to(TWO.replace("\"one\"", "\"first\""));
        assertThat(difference.of("first")).isEqualTo(Change.ADDED);
        assertThat(difference.of("two")).isEqualTo(Change.NONE);
        assertThat(difference.removed()).containsExactly("one");
        assertThat(difference).hasToString("added first; removed one");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"args\": [\"a\"]   | \"args\": [\"b\"]",
                "\"A\": \"1\"        | \"A\": \"2\"",
                "\"command\": \"c\"  | \"command\": \"c\", \"cwd\": \"/\"",
                "\"command\": \"c\"  | \"command\": \"c\", \"era\": \"legacy\"",
                "\"command\": \"c\"  | \"command\": \"c\", \"connectTimeoutMs\": 1",
                "\"command\": \"c\"  | \"command\": \"c\", \"disabled\": true",
                "\"command\": \"c\"  | \"command\": \"${MISSING}\"",
            })
    void changed_process_endpoint_is_a_different_server(String before, String after) throws IOException {
        ConfigDifference difference = to(TWO.replace(before, after));
        assertThat(difference.of("one")).isEqualTo(Change.REACH);
        assertThat(difference.of("two")).isEqualTo(Change.NONE);
        assertThat(difference).hasToString("changed one");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/mcp                | /other",
                "\"Y\": \"2\"        | \"Y\": \"3\"",
                "me:s@p.test         | me:t@p.test",
                "\"X\": \"1\",       | ''",
                "\"http\": {\"port\" | \"limits\": {\"frameBytes\": 70000}, \"http\": {\"port\"",
            })
    void changed_remote_endpoint_is_a_different_server(String before, String after) throws IOException {
        assertThat(to(TWO.replace(before, after)).of("two")).isEqualTo(Change.REACH);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"timeoutMs\": 20000",
                "\"timeoutMs\": 1500",
                "\"breaker\": {\"failureThreshold\": 2}",
                "\"toolBreaker\": {\"enabled\": false}",
                "\"retry\": {\"maxAttempts\": 1}",
                "\"replay\": {\"search\": \"always\"}",
                "\"criticality\": \"vital\"",
                "\"tools\": {\"exclude\": [\"x\"]}"
            })
    void changed_call_settings_keep_the_server(String key) throws IOException {
        ConfigDifference difference = to(TWO.replace("\"command\"", key + ", \"command\""));
        assertThat(difference.of("one")).isEqualTo(Change.RULES);
        assertThat(difference).hasToString("new settings for one");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"breaker\": {\"cooldownMs\": 1}",
                "\"pool\": {\"callsAtOnce\": 3}",
                "\"recovery\": {\"pingTimeoutMs\": 3}"
            })
    void changed_global_call_settings_keep_the_servers(String key) throws IOException {
        ConfigDifference difference = to(TWO.replace("{\"mcpServers\"", "{" + key + ", \"mcpServers\""));
        assertThat(difference.serversThat(Change.RULES)).containsExactly("one", "two");
        assertThat(difference.later()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"pool\": {\"startsAtOnce\": 2}         | pool.startsAtOnce",
                "\"limits\": {\"toolPages\": 2}          | limits.toolPages",
                "\"limits\": {\"clientWriteMs\": 2}      | limits.clientWriteMs",
                "\"limits\": {\"clientWaitMs\": 2}       | limits.clientWaitMs",
            })
    void startup_settings_apply_after_a_restart(String key, String name) throws IOException {
        ConfigDifference difference = to(TWO.replace("{\"mcpServers\"", "{" + key + ", \"mcpServers\""));
        assertThat(difference.later()).containsExactly(name);
        assertThat(difference.serversThat(Change.NONE)).containsExactly("one", "two");
        assertThat(difference).hasToString("after a restart " + name);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "host           | \"::1\"",
                "port           | 1",
                "allowedOrigins | [\"https://a.test\"]",
                "sessionIdleMs  | 1000",
                "maxSessions    | 2",
                "maxBodyBytes   | 70000",
                "maxConnections | 2",
                "headerTimeoutMs| 2000"
            })
    void http_front_end_settings_apply_after_a_restart(String name, String value) throws IOException {
        String others = name.equals("port") ? "" : "\"port\": 0, ";
        ConfigDifference difference = to(TWO.replace("\"port\": 0", others + "\"" + name + "\": " + value));
        assertThat(difference.later()).containsExactly("http." + name);
    }

    @Test
    void message_limits_apply_to_servers_at_once_and_to_clients_after_a_restart() throws IOException {
        ConfigDifference difference =
                to(TWO.replace("{\"mcpServers\"", "{\"limits\": {\"depth\": 20}, \"mcpServers\""));
        assertThat(difference.serversThat(Change.REACH)).containsExactly("one", "two");
        assertThat(difference.later()).containsExactly("limits.depth");
    }

    @Test
    void changed_live_global_keys_are_named() throws IOException {
        ConfigDifference difference = to(TWO.replace(
                "{\"mcpServers\"",
                "{\"telemetry\": {\"logLevel\": \"debug\"}, \"pool\": {\"drainMs\": 1}, \"mcpServers\""));
        assertThat(difference.live()).containsExactly("pool.drainMs", "telemetry.logLevel");
        assertThat(difference.isEmpty()).isFalse();
    }
}
