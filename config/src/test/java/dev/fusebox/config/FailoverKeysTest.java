package dev.fusebox.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Servers that name others: `backup` and `replicas`.
class FailoverKeysTest {
    private static final String REST = "\"b\":{\"command\":\"c\"},\"c\":{\"url\":\"http://h/\"},"
            + "\"backed\":{\"command\":\"c\",\"backup\":\"b\"},\"both\":{\"replicas\":[\"b\",\"c\"]}";

    private static List<String> verdict(String server) {
        return Reads.verdict("{\"mcpServers\":{\"one\":{" + server + "}," + REST + "}}");
    }

    @Test
    void a_server_may_have_a_backup() {
        Configuration file = Reads.usable("{\"mcpServers\":{" + REST + "}}");
        assertThat(file.problems()).isEmpty();
        assertThat(file.servers().get(2).rules().backup()).isEqualTo("b");
        assertThat(file.servers().getFirst().rules().backup()).isNull();
    }

    @Test
    void a_server_may_consist_of_others_that_stand_behind_it() {
        Configuration file =
                Reads.usable("{\"mcpServers\":{\"all\":{\"replicas\":[\"first one\",\"b\"]},\"first one\":{\"command\":"
                        + "\"c\"},\"b\":{\"command\":\"c\"}}}");
        assertThat(file.problems()).isEmpty();
        assertThat(file.servers().getFirst().state()).isEqualTo(new ServerState.Replicated(List.of("first-one", "b")));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'\"command\":\"c\",\"backup\":\"nobody\"' | 'names \"nobody\", which does not exist'",
                "'\"command\":\"c\",\"backup\":\"bakced\"' | 'did you mean \"backed\"'",
                "'\"command\":\"c\",\"backup\":\"one\"' | 'names the server itself'",
                "'\"command\":\"c\",\"backup\":\"backed\"' | 'names \"backed\", which has a backup itself'",
                "'\"command\":\"c\",\"backup\":\"both\"' | 'names \"both\", which is itself a replica set'",
                "'\"replicas\":[\"nobody\"]' | 'names \"nobody\", which does not exist'",
                "'\"replicas\":[\"one\"]' | 'names the server itself'",
                "'\"replicas\":[\"b\",\"b\"]' | 'names \"b\" twice'",
                "'\"replicas\":[\"b\",\"both\"]' | 'names \"both\", which is itself a replica set'",
                "'\"replicas\":[\"backed\"]' | 'names \"backed\", which has a backup itself'",
                "'\"replicas\":[]' | 'has 0 elements'",
                "'\"replicas\":[\"b\"],\"command\":\"c\"' | 'has no effect together with \"replicas\"'",
                "'\"replicas\":[\"b\"],\"backup\":\"c\"' | 'has no effect together with \"replicas\"'"
            })
    void invalid_reference_is_reported_at_its_location(String server, String complaint) {
        List<String> said = verdict(server);
        assertThat(said.getFirst()).contains("/mcpServers/one").contains(complaint);
        assertThat(said.getLast()).startsWith("usable: one faulty, b ready");
    }

    @Test
    void servers_that_consist_of_others_may_be_switched_off() {
        assertThat(verdict("\"replicas\":[\"b\",\"c\"],\"disabled\":true").getLast())
                .startsWith("usable: one disabled");
    }
}
