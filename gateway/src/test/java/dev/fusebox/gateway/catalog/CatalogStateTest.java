package dev.fusebox.gateway.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.ErrorId;
import dev.fusebox.gateway.catalog.CatalogState.Activity;
import dev.fusebox.gateway.catalog.CatalogState.Demand;
import dev.fusebox.gateway.catalog.CatalogState.Listing;
import dev.fusebox.gateway.catalog.CatalogState.Source;
import dev.fusebox.protocol.JsonView;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The transitions of a catalog's state, as tables.
class CatalogStateTest {
    private static final long NOW = 1_000;
    private static final CatalogContents ONE = tool("one");
    private static final CatalogContents TWO = tool("two");
    private static final Map<CatalogKind, String> FAILURES = Map.of(CatalogKind.RESOURCES, "no backend");
    private static final CallFailure FAILURE = CallFailure.notSent(ErrorId.INTERNAL, "a bug");

    private static CatalogContents tool(String name) {
        JsonView definition = JsonView.of("{\"name\":\"" + name + "\"}");
        return new CatalogContents(Map.of(CatalogKind.TOOLS, List.of(new CatalogEntry(name, definition))));
    }

    @Test
    void changed_extensions_of_a_server_are_announced() {
        AnnouncedExtensions extensions =
                AnnouncedExtensions.in(JsonView.of("{\"extensions\":{\"com.example/thing\":{}}}"));
        CatalogContents changed = new CatalogContents(ONE.catalogEntries(), extensions);

        assertThat(name(start("current").listed(changed, Map.of()))).isEqualTo("received-again");
        assertThat(name(start("restored").listed(changed, Map.of()))).isEqualTo("received-over-cache");
    }

    private static CatalogState start(String listing) {
        CatalogState from = CatalogState.INITIAL;
        return switch (listing) {
            case "unknown" -> from;
            case "restoring" -> from.fromCache(ONE);
            case "restored" -> from.fromCache(ONE).published();
            case "received" -> from.listed(ONE, FAILURES);
            case "received-over-cache" -> from.fromCache(TWO).published().listed(ONE, FAILURES);
            case "received-again" -> start("current").listed(TWO, Map.of()).listed(ONE, FAILURES);
            case "current" -> from.listed(ONE, Map.of()).announced(Map.of());
            case "foreign" -> start("restored").forgotten();
            case "foreign-live" -> start("current").forgotten();
            default -> throw new IllegalArgumentException(listing);
        };
    }

    private static String name(CatalogState state) {
        return switch (state.listing()) {
            case Listing.Unknown unknown -> "unknown";
            case Listing.Restoring restoring -> "restoring";
            case Listing.Restored restored -> "restored";
            case Listing.Received(CatalogContents contents, Source source, Map<CatalogKind, String> failures) ->
                switch (source) {
                    case NONE -> "received";
                    case CACHE -> "received-over-cache";
                    case SERVER -> "received-again";
                };
            case Listing.Current current -> "current";
            case Listing.Foreign foreign -> foreign.source() == Source.SERVER ? "foreign-live" : "foreign";
        };
    }

    @ParameterizedTest
    @CsvSource({
        // from, known, live, cache, recalled, published, forgotten, listed equal, listed other
        "unknown, false, false, true, restoring, unknown, foreign, received, received",
        "restoring, false, false, true, restoring, restored, foreign, received, received",
        "restored, true, false, true, restored, restored, foreign, current, received-over-cache",
        "received, false, false, false, , received-over-cache, foreign, received, received",
        "received-over-cache,true,false,false,,received-over-cache,foreign,received-over-cache,received-over-cache",
        "received-again, true, true, false, , received-again, foreign-live, received-again, received-again",
        "current, true, true, false, , current, foreign-live, current, received-again",
        "foreign, false, false, true, restoring, foreign, foreign, received, received",
        "foreign-live, true, true, false, , foreign-live, foreign-live, received-again, received-again",
    })
    void listing_follows_the_table(
            String from,
            boolean isKnown,
            boolean isLive,
            boolean takesCache,
            String recalled,
            String published,
            String forgotten,
            String listedEqual,
            String listedOther) {
        CatalogState state = start(from);
        assertThat(name(state)).isEqualTo(from);
        assertThat(state.isKnown()).as("known").isEqualTo(isKnown);
        assertThat(state.isLive()).as("live").isEqualTo(isLive);
        assertThat(state.takesCache()).as("takes the cache").isEqualTo(takesCache);
        if (takesCache) {
            assertThat(name(state.fromCache(TWO))).as("recalled").isEqualTo(recalled);
        }
        assertThat(name(state.published())).as("published").isEqualTo(published);
        assertThat(name(state.forgotten())).as("forgotten").isEqualTo(forgotten);
        assertThat(state.forgotten().contents()).as("forgotten").isEqualTo(state.contents());
        assertThat(name(state.listed(state.contents(), Map.of())))
                .as("listed equal")
                .isEqualTo(listedEqual);
        CatalogState other = state.listed(TWO, FAILURES);
        assertThat(name(other)).as("listed other").isEqualTo(listedOther);
        assertThat(name(other.announced(FAILURES))).as("announced").isEqualTo("current");
        assertThat(other.announced(FAILURES).listing().failures()).isEqualTo(FAILURES);
    }

    private static CatalogState activity(String name) {
        CatalogState known = start("current");
        CatalogState waiting = known.requested(Demand.CHANGE, NOW);
        return switch (name) {
            case "idle" -> known;
            case "wait-change" -> waiting;
            case "wait-client" -> known.requested(Demand.CLIENT, NOW);
            case "fetch" -> waiting.begun(NOW);
            case "fetch-wanted" -> waiting.begun(NOW).requested(Demand.CLIENT, NOW);
            case "fetch-changed" -> waiting.begun(NOW).changed(NOW);
            case "fetch-both" -> waiting.begun(NOW).changed(NOW).requested(Demand.CLIENT, NOW);
            case "fetch-obsolete" -> waiting.begun(NOW).renewed(NOW);
            case "closed" -> known.closed();
            default -> throw new IllegalArgumentException(name);
        };
    }

    private static String activity(CatalogState state) {
        return switch (state.activity()) {
            case Activity.Idle idle -> "idle";
            case Activity.Waiting waiting -> "wait-" + waiting.demand().name().toLowerCase(Locale.ROOT);
            case Activity.Fetching fetching -> {
                boolean isWanted = fetching.later() != Demand.CHANGE;
                yield switch (fetching.repeat()) {
                    case NO -> isWanted ? "fetch-wanted" : "fetch";
                    case CHANGED -> isWanted ? "fetch-both" : "fetch-changed";
                    case OBSOLETE -> "fetch-obsolete";
                };
            }
            case Activity.Closed closed -> "closed";
        };
    }

    @ParameterizedTest
    @CsvSource({
        // from, requested by a client, changed, renewed, begun, ended
        "idle, wait-client, wait-change, wait-client, idle, idle",
        "wait-change, wait-client, wait-change, wait-client, fetch, idle",
        "wait-client, wait-client, wait-client, wait-client, fetch, idle",
        "fetch, fetch-wanted, fetch-changed, fetch-obsolete, fetch, idle",
        "fetch-wanted, fetch-wanted, fetch-both, fetch-obsolete, fetch-wanted, idle",
        "fetch-changed, fetch-both, fetch-changed, fetch-obsolete, fetch-changed, wait-change",
        "fetch-both, fetch-both, fetch-both, fetch-obsolete, fetch-both, wait-connection",
        "fetch-obsolete, fetch-obsolete, fetch-obsolete, fetch-obsolete, fetch-obsolete, wait-start",
        "closed, closed, closed, closed, closed, closed",
    })
    void activity_follows_the_table(
            String from, String requested, String changed, String renewed, String begun, String ended) {
        CatalogState state = activity(from);
        assertThat(activity(state)).isEqualTo(from);
        assertThat(activity(state.requested(Demand.CLIENT, NOW)))
                .as("requested")
                .isEqualTo(requested);
        assertThat(activity(state.changed(NOW))).as("changed").isEqualTo(changed);
        assertThat(activity(state.renewed(NOW))).as("renewed").isEqualTo(renewed);
        assertThat(activity(state.begun(NOW))).as("begun").isEqualTo(begun);
        assertThat(activity(state.ended(NOW))).as("ended").isEqualTo(ended);
        assertThat(activity(state.closed())).as("closed").isEqualTo("closed");
        assertThat(state.isValid()).as("valid").isEqualTo(!from.equals("closed") && !from.equals("fetch-obsolete"));
    }

    @Test
    void unknown_lists_are_neither_read_for_a_change_nor_once_more_for_one() {
        CatalogState unknown = CatalogState.INITIAL;
        assertThat(activity(unknown.changed(NOW))).isEqualTo("idle");
        CatalogState fetching = unknown.requested(Demand.CLIENT, NOW).begun(NOW).changed(NOW);
        assertThat(activity(fetching.ended(NOW))).isEqualTo("idle");
        assertThat(activity(fetching.listed(ONE, Map.of()).announced(Map.of()).ended(NOW)))
                .isEqualTo("wait-change");
    }

    @Test
    void demand_of_a_reading_only_grows() {
        CatalogState waiting = CatalogState.INITIAL.requested(Demand.START, NOW).requested(Demand.CONNECTION, NOW);
        assertThat(waiting.isFor(Demand.START)).isTrue();
        CatalogState fetching = waiting.begun(NOW);
        assertThat(fetching.isFor(Demand.START)).isTrue();
        CatalogState ended = fetching.ended(NOW);
        assertThat(ended.isFor(Demand.CHANGE)).isFalse();
    }

    @Test
    void reading_is_the_first_unless_something_was_read_or_known() {
        UnaryOperator<CatalogState> request = from -> from.requested(Demand.CLIENT, NOW);
        assertThat(isFirst(request.apply(CatalogState.INITIAL))).isTrue();
        assertThat(isFirst(request.apply(start("restored")))).isFalse();
        CatalogState failed =
                request.apply(CatalogState.INITIAL).begun(NOW).failed(FAILURE).ended(NOW);
        assertThat(isFirst(request.apply(failed))).isFalse();
    }

    private static boolean isFirst(CatalogState state) {
        return Objects.requireNonNull(state.reading()).isFirst();
    }

    @ParameterizedTest
    @CsvSource({
        "unknown, idle",
        "foreign, idle",
        "restored, wait-change",
        "current, wait-change",
        "foreign-live, wait-change",
    })
    void failed_lists_are_read_again_once_the_server_works_if_they_were_known(String listing, String caughtUp) {
        CatalogState failed = start(listing).failed(FAILURE);
        assertThat(failed.last().failure()).isEqualTo(FAILURE);
        assertThat(activity(failed.caughtUp(NOW))).isEqualTo(caughtUp);
        assertThat(activity(start(listing).lost().caughtUp(NOW))).isEqualTo(caughtUp);
        assertThat(activity(start(listing).caughtUp(NOW))).isEqualTo("idle");
        CatalogState again = failed.caughtUp(NOW).begun(NOW).ended(NOW);
        assertThat(activity(again.caughtUp(NOW))).as("only once").isEqualTo("idle");
    }

    @ParameterizedTest
    @CsvSource({"unknown", "restored", "received", "current", "foreign", "foreign-live"})
    void failure_is_cleared_after_a_successful_reading_and_for_a_new_process(String listing) {
        CatalogState failed = start(listing).failed(FAILURE);
        assertThat(failed.listed(TWO, Map.of()).announced(Map.of()).last().failure())
                .isNull();
        assertThat(failed.renewed(NOW).last().failure()).isNull();
        assertThat(failed.closed().renewed(NOW).last().failure()).isEqualTo(FAILURE);
    }

    @Test
    void contents_that_are_discarded_during_the_announcement_stay_discarded() {
        CatalogState state = start("received").forgotten().announced(FAILURES);
        assertThat(name(state)).isEqualTo("foreign");
        assertThat(state.isKnown()).isFalse();
    }

    @Test
    void calls_wait_for_the_lists_again_on_the_next_connection() {
        CatalogState waited = CatalogState.INITIAL.waitedInVain();
        assertThat(waited.last().hasWaitedInVain()).isTrue();
        assertThat(waited.connected().last().hasWaitedInVain()).isFalse();
    }

    @Test
    void time_since_the_last_reading_counts_from_its_beginning() {
        CatalogState state = CatalogState.INITIAL.requested(Demand.CLIENT, 1);
        assertThat(state.sinceRead(NOW)).isEqualTo(Long.MAX_VALUE);
        assertThat(state.begun(400).sinceRead(NOW)).isEqualTo(600);
    }
}
