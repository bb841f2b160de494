package dev.fusebox.gateway.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.Principal;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class CacheKeyTest {
    private static String identity(String server, String principal) {
        return new CacheKey(server, new Principal(principal), () -> "").identity();
    }

    @Test
    void entries_of_two_principals_or_servers_are_different() {
        assertThat(Stream.of(
                                identity("jira", "owner"),
                                identity("jira", "ada"),
                                identity("jira", "bob"),
                                identity("docs", "ada"))
                        .distinct())
                .hasSize(4);
    }

    @Test
    void entry_of_the_owner_is_that_of_the_server() {
        assertThat(identity("jira", "owner")).isEqualTo("jira");
    }

    @Test
    void server_that_is_not_cached_is_so_for_every_principal() {
        assertThat(identity("", "ada")).isEmpty();
    }
}
