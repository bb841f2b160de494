package dev.fusebox.gateway.crowd;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.ErrorCode;
import dev.fusebox.client.Promise;
import dev.fusebox.gateway.era.Gate;
import dev.fusebox.gateway.observe.Told;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.testkit.ManualTime;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// When a server is asked what it offers, and when not.
@Timeout(60)
class ShelfTest {
    private final AtomicInteger readings = new AtomicInteger();
    private final AtomicInteger told = new AtomicInteger();
    private final AtomicReference<Offer> offered = new AtomicReference<>(tool("one"));

    private static Offer tool(String name) {
        JsonView definition = JsonView.of("{\"name\":\"" + name + "\"}");
        return new Offer(Map.of(Kind.TOOLS, List.of(new Item(name, definition))));
    }

    private Lister.Listed read() {
        readings.incrementAndGet();
        return new Lister.Listed.All(offered.get());
    }

    private static void nobody(@Nullable CallFailure failure) {
        // Hears of it.
    }

    private static boolean isRead(Shelf shelf) throws InterruptedException {
        Shelf.Reading reading = shelf.want();
        return reading == null || Objects.requireNonNullElse(reading.done().await(Gate.WORLD, Gate.SOON), false);
    }

    @Test
    void a_bug_in_reading_is_a_failure_and_the_next_reading_comes() throws Exception {
        Shelf shelf = new Shelf(
                Gate.WORLD,
                () -> {
                    if (readings.incrementAndGet() == 1) {
                        throw new IllegalStateException("a bug");
                    }
                    return new Lister.Listed.All(offered.get());
                },
                before -> told.incrementAndGet(),
                ShelfTest::nobody);
        assertThat(isRead(shelf)).isFalse();
        assertThat(shelf.failure()).extracting(CallFailure::code).isEqualTo(ErrorCode.INTERNAL);
        assertThat(isRead(shelf)).isTrue();
        assertThat(shelf.failure()).isNull();
        assertThat(told).hasValue(1);
    }

    @Test
    void what_could_not_be_told_is_told_with_the_next_reading() throws Exception {
        Consumer<Offer> hears = before -> {
            if (told.incrementAndGet() == 2) {
                throw new IllegalStateException("a bug");
            }
        };
        Shelf shelf = new Shelf(Gate.WORLD, this::read, hears, ShelfTest::nobody);
        assertThat(isRead(shelf)).isTrue();
        offered.set(tool("two"));
        shelf.stale();
        eventually("the reading has failed", () -> assertThat(shelf.failure()).isNotNull());
        shelf.catchUp();
        eventually("three changes are reported", () -> assertThat(told.get()).isEqualTo(3));
    }

    @Test
    void a_connection_that_the_reading_opened_is_not_read_again_and_any_other_is() throws Exception {
        Promise<Shelf> made = new Promise<>();
        Shelf shelf = new Shelf(
                Gate.WORLD,
                () -> {
                    Objects.requireNonNull(made.now()).refresh();
                    return read();
                },
                before -> told.incrementAndGet(),
                ShelfTest::nobody);
        made.bring(shelf);
        assertThat(isRead(shelf)).isTrue();
        assertThat(readings).hasValue(1);
        offered.set(tool("two"));
        shelf.refresh();
        eventually("two changes are reported", () -> assertThat(told.get()).isEqualTo(2));
        assertThat(readings).hasValue(2);
    }

    @Test
    void a_server_that_is_to_be_started_does_not_wait_until_it_may_be_read_again() throws Exception {
        ManualTime still = new ManualTime();
        Shelf shelf = new Shelf(still.platform(), this::read, before -> told.incrementAndGet(), ShelfTest::nobody);
        assertThat(isRead(shelf)).isTrue();
        shelf.stale();
        still.awaitPending(1);
        assertThat(readings).hasValue(1);
        shelf.due();
        eventually("two readings have begun", () -> assertThat(readings.get()).isEqualTo(2));
    }

    @Test
    void a_change_while_a_first_reading_is_under_way_is_read_and_nobody_waits_for_that() throws Exception {
        Promise<Shelf> made = new Promise<>();
        Promise<Boolean> go = new Promise<>();
        Shelf shelf = new Shelf(
                Gate.WORLD,
                () -> {
                    if (readings.get() == 0) {
                        Objects.requireNonNull(made.now()).stale();
                    } else {
                        await(go);
                    }
                    return read();
                },
                before -> told.incrementAndGet(),
                ShelfTest::nobody);
        made.bring(shelf);
        assertThat(isRead(shelf)).isTrue();
        assertThat(readings).hasValue(1);
        go.bring(true);
        eventually("two readings have begun", () -> assertThat(readings.get()).isEqualTo(2));
    }

    @Test
    void a_remembered_server_that_rests_is_read_for_whoever_needs_its_own_word() throws Exception {
        Shelf shelf = new Shelf(Gate.WORLD, this::read, before -> told.incrementAndGet(), ShelfTest::nobody)
                .sparing(() -> true);
        assertThat(shelf.recall(tool("one"))).isTrue();
        shelf.recalled();
        shelf.stale();
        eventually("the catalog is not being read", shelf::isIdle);
        assertThat(readings).as("nobody needs it").hasValue(0);
        Shelf.Reading reading = Objects.requireNonNull(shelf.wantLive());
        assertThat(reading.done().await(Gate.WORLD, Gate.SOON)).isTrue();
        assertThat(shelf.isLive()).isTrue();
        assertThat(readings).hasValue(1);
    }

    @Test
    void a_list_that_fails_is_reported_once_and_asked_for_again_after_half_a_minute() throws Exception {
        ManualTime time = new ManualTime();
        Shelf shelf = new Shelf(
                time.platform(),
                () -> {
                    readings.incrementAndGet();
                    return new Lister.Listed.All(offered.get(), Map.of(Kind.RESOURCES, "no backend"));
                },
                before -> told.incrementAndGet(),
                ShelfTest::nobody);
        try (Told log = Told.of(Shelf.class)) {
            assertThat(isRead(shelf)).isTrue();
            assertThat(shelf.failures()).containsOnlyKeys(Kind.RESOURCES);
            assertThat(shelf.failure()).isNull();
            time.advance(Duration.ofSeconds(29));
            shelf.catchUp();
            assertThat(shelf.want()).isNull();
            assertThat(shelf.isIdle()).as("it was asked half a minute ago").isTrue();
            time.advance(Duration.ofSeconds(1));
            shelf.catchUp();
            eventually(
                    "two readings have ended",
                    () -> assertThat(readings.get() == 2 && shelf.isIdle()).isTrue());
            time.advance(Duration.ofSeconds(30));
            assertThat(shelf.want()).isNull();
            eventually(
                    "three readings have ended",
                    () -> assertThat(readings.get() == 3 && shelf.isIdle()).isTrue());
            assertThat(log.lines()).singleElement(as(STRING)).startsWith("no backend; ");
        }
    }

    @Test
    void what_another_server_offered_does_not_stay_where_a_list_fails() throws Exception {
        Shelf shelf = new Shelf(Gate.WORLD, this::read, before -> told.incrementAndGet(), ShelfTest::nobody);
        assertThat(isRead(shelf)).isTrue();
        assertThat(shelf.last()).isEqualTo(tool("one"));
        shelf.forget();
        assertThat(shelf.last()).isEqualTo(Offer.NOTHING);
        assertThat(shelf.offer()).as("it stays where it is").isEqualTo(tool("one"));
    }

    @Test
    void a_shelf_that_is_closed_is_read_no_more() throws Exception {
        Shelf shelf = new Shelf(Gate.WORLD, this::read, before -> told.incrementAndGet(), ShelfTest::nobody);
        assertThat(isRead(shelf)).isTrue();
        shelf.close();
        shelf.stale();
        shelf.catchUp();
        shelf.refresh();
        assertThat(shelf.want()).isNull();
        assertThat(shelf.isIdle()).isTrue();
        assertThat(readings).hasValue(1);
    }

    @Test
    void nobody_waits_for_a_reading_whose_shelf_is_closed_and_nobody_hears_what_it_brings() throws Exception {
        Promise<Boolean> begun = new Promise<>();
        Promise<Boolean> go = new Promise<>();
        Shelf shelf = new Shelf(
                Gate.WORLD,
                () -> {
                    begun.bring(true);
                    await(go);
                    return read();
                },
                before -> told.incrementAndGet(),
                ShelfTest::nobody);
        Shelf.Reading reading = Objects.requireNonNull(shelf.want());
        await(begun);
        shelf.stale();
        shelf.close();
        assertThat(reading.done().await(Gate.WORLD, Gate.SOON)).isFalse();
        go.bring(true);
        eventually("the catalog is not being read", shelf::isIdle);
        assertThat(readings).hasValue(1);
        assertThat(told).hasValue(0);
        assertThat(shelf.isKnown()).isFalse();
    }

    @Test
    void what_was_being_read_when_the_server_became_another_does_not_count_and_it_is_read_once_more() throws Exception {
        Promise<Boolean> begun = new Promise<>();
        Promise<Boolean> go = new Promise<>();
        AtomicReference<Offer> before = new AtomicReference<>();
        Shelf shelf = new Shelf(
                Gate.WORLD,
                () -> {
                    Lister.Listed listed = read();
                    if (begun.bring(true)) {
                        await(go);
                    }
                    return listed;
                },
                before::set,
                ShelfTest::nobody);
        shelf.refresh();
        await(begun);
        offered.set(tool("two"));
        shelf.anew();
        go.bring(true);
        eventually("the live catalog is known", shelf::isLive);
        assertThat(readings).hasValue(2);
        assertThat(before.get()).as("nobody was told of the first").isEqualTo(Offer.NOTHING);
        assertThat(shelf.offer()).isEqualTo(tool("two"));
    }

    @Test
    void a_server_that_becomes_another_is_read_though_nobody_waits_for_that() {
        Shelf shelf = new Shelf(Gate.WORLD, this::read, before -> told.incrementAndGet(), ShelfTest::nobody)
                .sparing(() -> true);
        shelf.anew();
        eventually("the live catalog is known", shelf::isLive);
        assertThat(readings).hasValue(1);
    }

    private static void await(Promise<Boolean> go) {
        try {
            assertThat(go.await(Gate.WORLD, Gate.SOON)).isTrue();
        } catch (InterruptedException stopped) {
            throw new AssertionError(stopped);
        }
    }
}
