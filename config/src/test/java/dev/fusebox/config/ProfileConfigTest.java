package dev.fusebox.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Profiles: parts of a configuration.
class ProfileConfigTest {
    private static final String FILE = """
            {"mcpServers": {"a": {"command": "c"}, "b": {"command": "c"}, "r": {"replicas": ["b"]}},
             "pin": ["a/x", "b/y"], "expose": "meta",
             "profiles": {"work": {"servers": ["a"], "expose": "proxy", "tools": {"exclude": ["a/admin_*"]}},
                          "group": {"servers": ["r"]}, "all": {}}}
            """;

    @TempDir
    Path folder;

    private ReadResult read(Overrides overrides) throws Exception {
        Path file = Files.writeString(folder.resolve("f.json"), FILE, StandardCharsets.UTF_8);
        return ConfigFile.read(new HostEnvironment(Map.of()), file, overrides);
    }

    private Configuration in(String profile) throws Exception {
        return ((ReadResult.Usable) read(Overrides.NONE.inProfile(profile))).configuration();
    }

    private static List<String> servers(Configuration configuration) {
        return configuration.servers().stream().map(ServerConfig::id).toList();
    }

    @Test
    void profile_has_its_servers_with_their_pins_and_its_own_view() throws Exception {
        Configuration work = in("work");
        assertThat(servers(work)).containsExactly("a");
        assertThat(work.pins()).containsExactly("a/x");
        assertThat(work.expose()).isEqualTo(Expose.PROXY);
        assertThat(work.tools()).isEqualTo(new VisibleTools(List.of("*"), List.of("a/admin_*")));
    }

    @Test
    void replica_set_brings_its_replicas_and_an_empty_profile_has_everything() throws Exception {
        assertThat(servers(in("group"))).containsExactly("b", "r");
        Configuration all = in("all");
        assertThat(servers(all)).containsExactly("a", "b", "r");
        assertThat(all.expose()).isEqualTo(Expose.META);
        assertThat(all.profiles().keySet()).containsExactly("work", "group", "all");
    }

    @Test
    void option_wins_over_the_profile() throws Exception {
        Overrides overrides = Overrides.NONE.with("--expose", "both").inProfile("work");
        assertThat(((ReadResult.Usable) read(overrides)).configuration().expose())
                .isEqualTo(Expose.BOTH);
    }

    @Test
    void unknown_profile_is_refused_with_those_that_exist() throws Exception {
        assertThat(((ReadResult.Refused) read(Overrides.NONE.inProfile("wrok"))).problems())
                .singleElement()
                .asString()
                .contains("has no profile \"wrok\"; it has work, group, all");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"a b\": {}} | the name of a profile has up to 64 characters",
                "{\"p\": {\"servers\": [\"x\"]}} | names the server \"x\", which does not exist",
                "{\"p\": {\"tool\": {}}} | tools",
            })
    void mistakes_are_errors(String profiles, String message) {
        String file = "{\"mcpServers\":{\"one\":{\"command\":\"c\"}},\"profiles\":" + profiles + "}";
        assertThat(Reads.verdict(file))
                .anySatisfy(problem -> assertThat(problem).contains(message));
    }
}
