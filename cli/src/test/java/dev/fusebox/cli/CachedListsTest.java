package dev.fusebox.cli;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.fixtures.server.Era;
import dev.fusebox.fixtures.server.FixtureServer;
import dev.fusebox.fixtures.server.ServerScript;
import dev.fusebox.protocol.JsonView;
import java.io.IOException;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What clients may cache of the lists of a gateway, by its configuration. The fixture server calls its lists public,
/// and gives them a minute.
@Tag("process")
@Timeout(60)
class CachedListsTest {
    private static JsonView tools(Configured gateway) {
        return Objects.requireNonNull(gateway.ask("tools/list", "").member("result"));
    }

    private static long ttl(Configured gateway) {
        return Long.parseLong(
                Objects.requireNonNull(tools(gateway).member("ttlMs")).json());
    }

    @Test
    void public_list_of_a_server_without_credentials_stays_public() throws IOException {
        try (FixtureServer server = FixtureServer.start(ServerScript.faultless().withEra(Era.MODERN))) {
            String url = "\"url\":\"" + server.uri() + "\"";
            try (Configured open = Configured.of(url, "");
                    Configured owned = Configured.of(url + ",\"headers\":{\"Authorization\":\"Bearer abc\"}", "")) {
                // Until the lists are confirmed, they have no time and are private.
                eventually(
                        "the list is public",
                        () -> assertThat(tools(open).string("cacheScope")).isEqualTo("public"));
                eventually("the list has a time", () -> assertThat(ttl(owned)).isBetween(1L, 60_000L));
                assertThat(tools(owned).string("cacheScope")).isEqualTo("private");
            }
        }
    }
}
