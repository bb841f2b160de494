package dev.fusebox.gateway.routing;

import static dev.fusebox.testkit.Eventually.eventually;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.process.ChildSpec;
import dev.fusebox.fixtures.server.Era;
import dev.fusebox.fixtures.server.ScriptedServer;
import dev.fusebox.gateway.cache.CacheWrites;
import dev.fusebox.gateway.cache.SchemaCache;
import dev.fusebox.gateway.catalog.CachedContents;
import dev.fusebox.gateway.catalog.CatalogContents;
import dev.fusebox.gateway.catalog.CatalogContentsJson;
import dev.fusebox.gateway.catalog.SharingHistory;
import dev.fusebox.gateway.era.EraStore;
import dev.fusebox.gateway.era.Messages;
import dev.fusebox.gateway.era.SingleServerHarness;
import dev.fusebox.gateway.routing.GatewayClient.Manner;
import dev.fusebox.gateway.upstream.UpstreamServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The era of a server is kept beside its lists, so that no later run starts it twice.
@Tag("process")
@Timeout(120)
class EraCacheTest {
    @TempDir
    private Path home;

    private SchemaCache cache() {
        return new SchemaCache(SingleServerHarness.PLATFORM, home.resolve("cache"), "here");
    }

    private int starts() throws IOException {
        return Files.readAllLines(home.resolve("starts")).size();
    }

    /// A server that notes each of its starts, and exits when it is asked anything before the handshake.
    private ChildSpec dying() {
        String noting = "echo start >> '" + home.resolve("starts") + "'; exec \"$@\"";
        List<String> words = new ArrayList<>(List.of("-c", noting, "sh"));
        words.addAll(ScriptedServer.stdio(SingleServerHarness.script(Era.LEGACY, "exit-on-early-request")));
        return ChildSpec.of("sh", words.toArray(String[]::new));
    }

    /// A gateway that starts, calls the server once, and ends.
    private void run(Manner manner) {
        try (SchemaCache cache = cache();
                GatewayHarness gateway = GatewayHarness.plan()
                        .process("frail", dying())
                        .catalogStore(cache)
                        .open()) {
            GatewayClient client = GatewayClient.of(gateway, manner);
            client.eventuallySees("frail__echo");
            assertThat(Messages.said(client.call("frail__echo", "{\"text\":\"here\"}")))
                    .isEqualTo("here");
            gateway.eventuallyHears("frail");
            CacheWrites.await();
        }
    }

    @ParameterizedTest
    @EnumSource
    void server_that_exits_on_the_probe_is_started_twice_at_first_contact_and_once_later(Manner manner)
            throws IOException {
        run(manner);
        assertThat(starts()).isEqualTo(2);
        run(manner);
        assertThat(starts()).isEqualTo(3);
        run(manner);
        assertThat(starts()).isEqualTo(4);
    }

    @Test
    void a_server_that_is_reached_otherwise_is_probed_anew() {
        try (SchemaCache cache = cache();
                GatewayHarness gateway = GatewayHarness.plan()
                        .process("frail", dying())
                        .catalogStore(cache)
                        .open()) {
            GatewayClient.of(gateway).eventuallySees("frail__echo");
            UpstreamServer before = gateway.server("frail");
            eventually("the verdict is known", () -> before.cached().load() == EraStore.ProbeResult.LEGACY);
            gateway.reload(
                    List.of(gateway.added(
                            TestServer.of("frail", SingleServerHarness.script(Era.MODERN)), "another command")),
                    Duration.ZERO);
            UpstreamServer after = gateway.server("frail");
            assertThat(after.cached().load()).isNotEqualTo(EraStore.ProbeResult.LEGACY);
        }
    }

    @Test
    void an_entry_is_read_as_it_was_written_and_one_without_era_or_time_too() {
        Instant now = Instant.parse("2026-11-23T10:00:00Z");
        CatalogContents none = new CatalogContents(Map.of());
        for (EraStore.ProbeResult era : EraStore.ProbeResult.values()) {
            String text = CatalogContentsJson.text(
                    "jira", new CachedContents(none, era, now, "0badcafe", null, SharingHistory.NOTHING));
            CachedContents read = Objects.requireNonNull(CatalogContentsJson.read(text.getBytes(UTF_8)));
            assertThat(read.era()).isEqualTo(era);
            assertThat(read.readAt()).isEqualTo(now);
            assertThat(read.launch()).isEqualTo("0badcafe");
        }
        String bareText = CatalogContentsJson.text(
                "jira", new CachedContents(none, null, null, null, null, SharingHistory.NOTHING));
        CachedContents bare = Objects.requireNonNull(CatalogContentsJson.read(bareText.getBytes(UTF_8)));
        assertThat(bare.era()).isNull();
        assertThat(bare.readAt()).isNull();
        assertThat(bare.launch()).isNull();
    }
}
