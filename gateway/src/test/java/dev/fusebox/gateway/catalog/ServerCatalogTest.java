package dev.fusebox.gateway.catalog;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.ErrorId;
import dev.fusebox.client.Promise;
import dev.fusebox.gateway.era.SingleServerHarness;
import dev.fusebox.gateway.observe.CapturedLog;
import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.testkit.ManualTime;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// When a server is asked what it offers, and when not.
@Timeout(60)
class ServerCatalogTest {
    private final AtomicInteger readings = new AtomicInteger();
    private final AtomicInteger told = new AtomicInteger();
    private final AtomicReference<CatalogContents> offered = new AtomicReference<>(tool("one"));

    private static CatalogContents tool(String name) {
        JsonView definition = JsonView.of("{\"name\":\"" + name + "\"}");
        return new CatalogContents(Map.of(CatalogKind.TOOLS, List.of(new CatalogEntry(name, definition))));
    }

    private CatalogFetcher.Listed read() {
        readings.incrementAndGet();
        return new CatalogFetcher.Listed.All(offered.get());
    }

    private static ServerCatalog catalog(
            Platform platform,
            Supplier<CatalogFetcher.Listed> read,
            Consumer<CatalogContents> changed,
            boolean isResting) {
        return new ServerCatalog(platform, new ServerCatalog.Server() {
            @Override
            public CatalogFetcher.Listed read() {
                return read.get();
            }

            @Override
            public void changed(CatalogContents before) {
                changed.accept(before);
            }

            @Override
            public boolean isResting() {
                return isResting;
            }
        });
    }

    private static boolean isRead(ServerCatalog catalog) throws InterruptedException {
        ServerCatalog.Reading reading = catalog.want();
        return reading == null
                || Objects.requireNonNullElse(
                        reading.done().await(SingleServerHarness.PLATFORM, SingleServerHarness.SOON), false);
    }

    @Test
    void a_bug_in_reading_is_a_failure_and_the_next_reading_comes() throws Exception {
        ServerCatalog catalog = catalog(
                SingleServerHarness.PLATFORM,
                () -> {
                    if (readings.incrementAndGet() == 1) {
                        throw new IllegalStateException("a bug");
                    }
                    return new CatalogFetcher.Listed.All(offered.get());
                },
                before -> told.incrementAndGet(),
                false);
        assertThat(isRead(catalog)).isFalse();
        assertThat(catalog.failure()).extracting(CallFailure::id).isEqualTo(ErrorId.INTERNAL);
        assertThat(isRead(catalog)).isTrue();
        assertThat(catalog.failure()).isNull();
        assertThat(told).hasValue(1);
    }

    @Test
    void list_may_be_kept_only_while_the_server_has_confirmed_it() throws Exception {
        Map<CatalogKind, ListHint> hints = Map.of(CatalogKind.TOOLS, new ListHint(Duration.ofMinutes(10), false, true));
        AtomicReference<ServerCatalog> reading = new AtomicReference<>();
        AtomicBoolean isKeptWhileReading = new AtomicBoolean();
        ServerCatalog catalog = catalog(
                SingleServerHarness.PLATFORM,
                () -> {
                    isKeptWhileReading.set(reading.get().hint(CatalogKind.TOOLS) != null);
                    return new CatalogFetcher.Listed.All(offered.get(), Map.of(), hints);
                },
                before -> told.incrementAndGet(),
                false);
        reading.set(catalog);
        assertThat(catalog.hint(CatalogKind.TOOLS)).isNull();
        catalog.restore(tool("one"));
        catalog.restored();
        assertThat(catalog.hint(CatalogKind.TOOLS)).as("from the cache").isNull();
        catalog.refresh();
        eventually(
                "the list is confirmed",
                () -> assertThat(catalog.hint(CatalogKind.TOOLS)).isNotNull());
        assertThat(Objects.requireNonNull(catalog.hint(CatalogKind.TOOLS)).ttl())
                .isBetween(Duration.ofMinutes(5), Duration.ofMinutes(10));
        assertThat(catalog.hint(CatalogKind.PROMPTS)).isNull();
        isKeptWhileReading.set(true);
        catalog.stale();
        eventually(
                "the list is read again", () -> assertThat(isKeptWhileReading).isFalse());
        eventually(
                "the list is confirmed",
                () -> assertThat(catalog.hint(CatalogKind.TOOLS)).isNotNull());
        catalog.fallBehind();
        assertThat(catalog.hint(CatalogKind.TOOLS)).as("the server is gone").isNull();
    }

    @Test
    void failed_notification_is_repeated_with_the_next_refresh() throws Exception {
        Consumer<CatalogContents> hears = before -> {
            if (told.incrementAndGet() == 2) {
                throw new IllegalStateException("a bug");
            }
        };
        ServerCatalog catalog = catalog(SingleServerHarness.PLATFORM, this::read, hears, false);
        assertThat(isRead(catalog)).isTrue();
        offered.set(tool("two"));
        catalog.stale();
        eventually("the reading has failed", () -> assertThat(catalog.failure()).isNotNull());
        catalog.catchUp();
        eventually("three changes are reported", () -> assertThat(told.get()).isEqualTo(3));
    }

    @Test
    void a_connection_that_the_reading_opened_is_not_read_again_and_any_other_is() throws Exception {
        Promise<ServerCatalog> made = new Promise<>();
        ServerCatalog catalog = catalog(
                SingleServerHarness.PLATFORM,
                () -> {
                    Objects.requireNonNull(made.now()).refresh();
                    return read();
                },
                before -> told.incrementAndGet(),
                false);
        made.complete(catalog);
        assertThat(isRead(catalog)).isTrue();
        assertThat(readings).hasValue(1);
        offered.set(tool("two"));
        catalog.refresh();
        eventually("two changes are reported", () -> assertThat(told.get()).isEqualTo(2));
        assertThat(readings).hasValue(2);
    }

    @Test
    void a_server_that_is_to_be_started_does_not_wait_until_it_may_be_read_again() throws Exception {
        ManualTime still = new ManualTime();
        ServerCatalog catalog = catalog(still.platform(), this::read, before -> told.incrementAndGet(), false);
        assertThat(isRead(catalog)).isTrue();
        catalog.stale();
        still.awaitPending(1);
        assertThat(readings).hasValue(1);
        catalog.due();
        eventually("two readings have begun", () -> assertThat(readings.get()).isEqualTo(2));
    }

    @Test
    void change_during_the_first_refresh_causes_another_refresh_without_waiters() throws Exception {
        Promise<ServerCatalog> made = new Promise<>();
        Promise<Boolean> go = new Promise<>();
        ServerCatalog catalog = catalog(
                SingleServerHarness.PLATFORM,
                () -> {
                    if (readings.get() == 0) {
                        Objects.requireNonNull(made.now()).stale();
                    } else {
                        await(go);
                    }
                    return read();
                },
                before -> told.incrementAndGet(),
                false);
        made.complete(catalog);
        assertThat(isRead(catalog)).isTrue();
        assertThat(readings).hasValue(1);
        go.complete(true);
        eventually("two readings have begun", () -> assertThat(readings.get()).isEqualTo(2));
    }

    @Test
    void idle_server_with_cached_list_is_refreshed_for_callers_that_need_the_live_list() throws Exception {
        ServerCatalog catalog =
                catalog(SingleServerHarness.PLATFORM, this::read, before -> told.incrementAndGet(), true);
        assertThat(catalog.restore(tool("one"))).isTrue();
        catalog.restored();
        catalog.stale();
        eventually("the catalog is not being read", catalog::isIdle);
        assertThat(readings).as("nobody needs it").hasValue(0);
        ServerCatalog.Reading reading = Objects.requireNonNull(catalog.wantLive());
        assertThat(reading.done().await(SingleServerHarness.PLATFORM, SingleServerHarness.SOON))
                .isTrue();
        assertThat(catalog.isLive()).isTrue();
        assertThat(readings).hasValue(1);
    }

    @Test
    void a_list_that_fails_is_reported_once_and_asked_for_again_after_half_a_minute() throws Exception {
        ManualTime time = new ManualTime();
        ServerCatalog catalog = catalog(
                time.platform(),
                () -> {
                    readings.incrementAndGet();
                    return new CatalogFetcher.Listed.All(offered.get(), Map.of(CatalogKind.RESOURCES, "no backend"));
                },
                before -> told.incrementAndGet(),
                false);
        try (CapturedLog log = CapturedLog.of(ServerCatalog.class)) {
            assertThat(isRead(catalog)).isTrue();
            assertThat(catalog.failures()).containsOnlyKeys(CatalogKind.RESOURCES);
            assertThat(catalog.failure()).isNull();
            time.advance(Duration.ofSeconds(29));
            catalog.catchUp();
            assertThat(catalog.want()).isNull();
            assertThat(catalog.isIdle()).as("it was asked half a minute ago").isTrue();
            time.advance(Duration.ofSeconds(1));
            catalog.catchUp();
            eventually(
                    "two readings have ended",
                    () -> assertThat(readings.get() == 2 && catalog.isIdle()).isTrue());
            time.advance(Duration.ofSeconds(30));
            assertThat(catalog.want()).isNull();
            eventually(
                    "three readings have ended",
                    () -> assertThat(readings.get() == 3 && catalog.isIdle()).isTrue());
            assertThat(log.lines("no backend")).singleElement(as(STRING)).startsWith("no backend; ");
        }
    }

    @Test
    void what_another_server_offered_does_not_stay_where_a_list_fails() throws Exception {
        ServerCatalog catalog =
                catalog(SingleServerHarness.PLATFORM, this::read, before -> told.incrementAndGet(), false);
        assertThat(isRead(catalog)).isTrue();
        assertThat(catalog.last()).isEqualTo(tool("one"));
        catalog.forget();
        assertThat(catalog.last()).isEqualTo(CatalogContents.NOTHING);
        assertThat(catalog.contents()).as("it stays where it is").isEqualTo(tool("one"));
    }

    @Test
    void a_catalog_that_is_closed_is_read_no_more() throws Exception {
        ServerCatalog catalog =
                catalog(SingleServerHarness.PLATFORM, this::read, before -> told.incrementAndGet(), false);
        assertThat(isRead(catalog)).isTrue();
        catalog.close();
        catalog.stale();
        catalog.catchUp();
        catalog.refresh();
        assertThat(catalog.want()).isNull();
        assertThat(catalog.isIdle()).isTrue();
        assertThat(readings).hasValue(1);
    }

    @Test
    void refresh_of_a_closed_catalog_has_no_waiters_and_no_effect() throws Exception {
        Promise<Boolean> begun = new Promise<>();
        Promise<Boolean> go = new Promise<>();
        ServerCatalog catalog = catalog(
                SingleServerHarness.PLATFORM,
                () -> {
                    begun.complete(true);
                    await(go);
                    return read();
                },
                before -> told.incrementAndGet(),
                false);
        ServerCatalog.Reading reading = Objects.requireNonNull(catalog.want());
        await(begun);
        catalog.stale();
        catalog.close();
        assertThat(reading.done().await(SingleServerHarness.PLATFORM, SingleServerHarness.SOON))
                .isFalse();
        go.complete(true);
        eventually("the catalog is not being read", catalog::isIdle);
        assertThat(readings).hasValue(1);
        assertThat(told).hasValue(0);
        assertThat(catalog.isKnown()).isFalse();
    }

    @Test
    void what_was_being_read_when_the_server_became_another_does_not_count_and_it_is_read_once_more() throws Exception {
        Promise<Boolean> begun = new Promise<>();
        Promise<Boolean> go = new Promise<>();
        AtomicReference<CatalogContents> before = new AtomicReference<>();
        ServerCatalog catalog = catalog(
                SingleServerHarness.PLATFORM,
                () -> {
                    CatalogFetcher.Listed listed = read();
                    if (begun.complete(true)) {
                        await(go);
                    }
                    return listed;
                },
                before::set,
                false);
        catalog.refresh();
        await(begun);
        offered.set(tool("two"));
        catalog.invalidate();
        go.complete(true);
        eventually("the live catalog is known", catalog::isLive);
        assertThat(readings).hasValue(2);
        assertThat(before.get()).as("nobody was told of the first").isEqualTo(CatalogContents.NOTHING);
        assertThat(catalog.contents()).isEqualTo(tool("two"));
    }

    @Test
    void replaced_server_is_refreshed_without_waiters() {
        ServerCatalog catalog =
                catalog(SingleServerHarness.PLATFORM, this::read, before -> told.incrementAndGet(), true);
        catalog.invalidate();
        eventually("the live catalog is known", catalog::isLive);
        assertThat(readings).hasValue(1);
    }

    private static void await(Promise<Boolean> go) {
        try {
            assertThat(go.await(SingleServerHarness.PLATFORM, SingleServerHarness.SOON))
                    .isTrue();
        } catch (InterruptedException stopped) {
            throw new AssertionError(stopped);
        }
    }
}
