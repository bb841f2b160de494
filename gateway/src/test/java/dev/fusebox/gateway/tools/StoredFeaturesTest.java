package dev.fusebox.gateway.tools;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.gateway.cache.SchemaCache;
import dev.fusebox.gateway.era.SingleServerHarness;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.search.SearchIndex;
import dev.fusebox.search.SearchModels;
import dev.fusebox.search.VectorStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What a gateway knows of its tools at once, because an earlier one knew it.
@Timeout(60)
class StoredFeaturesTest {
    @TempDir
    private Path home;

    private Path file;

    @BeforeEach
    void setUp() {
        file = home.resolve("features");
    }

    private static AvailableTools tools(int count, String description) {
        List<AvailableTools.Tool> tools = IntStream.range(0, count)
                .mapToObj(i -> new AvailableTools.Tool(
                        "server",
                        "tool_" + i,
                        JsonView.of("{\"name\":\"tool_" + i + "\",\"description\":\"" + description + " " + i + "\"}"),
                        true))
                .toList();
        return new AvailableTools(new Object(), tools);
    }

    private static SearchIndex indexed(StoredFeatures storedFeatures, AvailableTools availableTools) {
        SearchModels models = new SearchModels(BundledModels::table, new VectorStore(), storedFeatures::take);
        SearchIndex searchIndex = new ToolIndexSnapshot(availableTools, models, null).searchIndex();
        searchIndex.prepare();
        return searchIndex;
    }

    /// A gateway that starts, indexes these tools and ends; returns whether it had to read any.
    private boolean reads(AvailableTools availableTools) {
        try (SchemaCache cache = new SchemaCache(SingleServerHarness.PLATFORM, home, "here");
                StoredFeatures storedFeatures =
                        new StoredFeatures(SingleServerHarness.PLATFORM, cache.featureStore())) {
            CountDownLatch loaded = new CountDownLatch(1);
            storedFeatures.preload(loaded::countDown);
            // The index waits for the disk for half a second only.
            assertThat(loaded.await(30, TimeUnit.SECONDS)).isTrue();
            SearchIndex searchIndex = indexed(storedFeatures, availableTools);
            storedFeatures.note(searchIndex);
            return searchIndex.hasNewFeatures();
        } catch (InterruptedException stopped) {
            throw new AssertionError(stopped);
        }
    }

    @Test
    void features_of_one_gateway_are_reused_by_the_next() throws IOException {
        assertThat(reads(tools(5, "Sends a mail"))).isTrue();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(reads(tools(5, "Sends a mail"))).isFalse();
        assertThat(reads(tools(5, "Sends a letter"))).isTrue();
        assertThat(reads(tools(5, "Sends a letter"))).isFalse();
        assertThat(reads(tools(5, "Sends a mail"))).isFalse();
    }

    @Test
    void damaged_file_is_replaced() throws IOException {
        assertThat(reads(tools(5, "Sends a mail"))).isTrue();
        byte[] stored = Files.readAllBytes(file);
        Files.write(file, new byte[] {1, 2, 3});
        assertThat(reads(tools(5, "Sends a mail"))).isTrue();
        assertThat(Files.readAllBytes(file)).isEqualTo(stored);
    }

    @Test
    void unreadable_file_is_no_obstacle() throws IOException {
        Files.createDirectory(file);
        assertThat(reads(tools(5, "Sends a mail"))).isTrue();
    }

    @Test
    void hanging_disk_is_not_waited_for() {
        CountDownLatch never = new CountDownLatch(1);
        FeatureStore hanging = new FeatureStore() {
            @Override
            public byte @Nullable [] load() {
                try {
                    never.await();
                } catch (InterruptedException stopped) {
                    Thread.currentThread().interrupt();
                }
                return null;
            }

            @Override
            public void keep(SearchIndex searchIndex) {
                // Hangs as well.
            }
        };
        try (StoredFeatures storedFeatures = new StoredFeatures(SingleServerHarness.PLATFORM, hanging)) {
            storedFeatures.preload(() -> {});
            assertThat(indexed(storedFeatures, tools(5, "Sends a mail")).hasNewFeatures())
                    .isTrue();
        } finally {
            never.countDown();
        }
    }
}
