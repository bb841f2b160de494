package dev.fusebox.gateway.catalog;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Promise;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The state of a [ServerCatalog] as a pure state machine: time is an input, and every transition returns the
/// next state. Immutable except for the promises of readings.
///
/// ```
/// listing:  unknown --recalled--> restoring --published--> restored
///           all of them, and foreign --listed--> received --announced--> current
///           restored, current --listed without a difference--> current
///           any --forgotten--> foreign
///
/// activity: idle --requested--> waiting --begun--> fetching --ended--> idle
///                                  ^------ended-------'  if it has to be repeated
///           any --closed--> closed
/// ```
record CatalogState(Listing listing, Activity activity, LastReading last) {
    static final CatalogState INITIAL =
            new CatalogState(new Listing.Unknown(), new Activity.Idle(), new LastReading(null, null, false, false));

    /// Where known contents come from.
    enum Source {
        NONE,
        CACHE,
        SERVER
    }

    /// What is known of the lists. Immutable.
    sealed interface Listing {
        /// The contents that clients see.
        CatalogContents contents();

        Source source();

        /// The lists that the last good reading could not read, with error messages.
        default Map<CatalogKind, String> failures() {
            return Map.of();
        }

        record Unknown() implements Listing {
            @Override
            public CatalogContents contents() {
                return CatalogContents.NOTHING;
            }

            @Override
            public Source source() {
                return Source.NONE;
            }
        }

        /// Contents from the cache that are being published.
        record Restoring(CatalogContents contents) implements Listing {
            @Override
            public Source source() {
                return Source.NONE;
            }
        }

        /// Contents from the cache.
        record Restored(CatalogContents contents) implements Listing {
            @Override
            public Source source() {
                return Source.CACHE;
            }
        }

        /// Contents that the server has listed, and that are not announced yet.
        ///
        /// @param source of the contents before
        /// @param failures of the reading before
        record Received(CatalogContents contents, Source source, Map<CatalogKind, String> failures)
                implements Listing {}

        /// Contents that the server has listed in this run.
        record Current(CatalogContents contents, Map<CatalogKind, String> failures) implements Listing {
            @Override
            public Source source() {
                return Source.SERVER;
            }
        }

        /// Contents of the previous configuration. They stay visible until the server has listed its own or the
        /// cache has them; its own are announced even if they are equal.
        record Foreign(CatalogContents contents, Source source) implements Listing {}
    }

    /// The purpose of a reading; each purpose includes the one before.
    enum Demand {
        /// The lists may have changed. They are not read if that needs a new connection.
        CHANGE,
        /// There is a connection on which they have not been read.
        CONNECTION,
        /// A client waits: a server that is down is started.
        CLIENT,
        /// The server is started for this reading: the minimum interval is skipped.
        START;

        private Demand or(Demand other) {
            return compareTo(other) < 0 ? other : this;
        }
    }

    /// Whether a reading is repeated when it has ended.
    enum Repeat {
        NO,
        /// The lists may have changed meanwhile. They are read once more if they are known.
        CHANGED,
        /// The server has a new process or configuration. The result is discarded.
        OBSOLETE
    }

    /// The progress of a reading. Immutable except for the promise.
    sealed interface Activity {
        record Idle() implements Activity {}

        record Waiting(ServerCatalog.Reading reading, Demand demand) implements Activity {}

        /// The lists are being read.
        ///
        /// @param later demand since it has begun
        record Fetching(ServerCatalog.Reading reading, Demand demand, Demand later, Repeat repeat)
                implements Activity {}

        /// Nothing is read any more.
        ///
        /// @param reading that has not ended yet; null if there is none
        record Closed(ServerCatalog.@Nullable Reading reading) implements Activity {}
    }

    /// The last reading, and what it left to be done. Immutable.
    ///
    /// @param begunAt by the monotonic clock; null before the first reading
    /// @param failure null if it succeeded, or no longer counts
    /// @param isBehind whether the lists are to be read again when the server works
    /// @param hasWaitedInVain whether a call has waited for the lists in vain on the current connection
    record LastReading(
            @Nullable Long begunAt, @Nullable CallFailure failure, boolean isBehind, boolean hasWaitedInVain) {
        private LastReading begun(long now) {
            return new LastReading(now, failure, isBehind, hasWaitedInVain);
        }

        private LastReading with(@Nullable CallFailure next) {
            return new LastReading(begunAt, next, isBehind, hasWaitedInVain);
        }

        private LastReading behind(boolean next) {
            return new LastReading(begunAt, failure, next, hasWaitedInVain);
        }

        private LastReading waitedInVain(boolean next) {
            return new LastReading(begunAt, failure, isBehind, next);
        }
    }

    // ---- Questions

    CatalogContents contents() {
        return listing.contents();
    }

    boolean isKnown() {
        return listing.source() != Source.NONE;
    }

    boolean isLive() {
        return listing.source() == Source.SERVER;
    }

    boolean isClosed() {
        return activity instanceof Activity.Closed;
    }

    /// The reading in progress; null if there is none.
    ServerCatalog.@Nullable Reading reading() {
        return switch (activity) {
            case Activity.Waiting waiting -> waiting.reading();
            case Activity.Fetching fetching -> fetching.reading();
            case Activity.Closed closed -> closed.reading();
            case Activity.Idle idle -> null;
        };
    }

    /// Whether there is this demand for the reading in progress.
    boolean isFor(Demand demand) {
        return switch (activity) {
            case Activity.Waiting waiting -> waiting.demand().compareTo(demand) >= 0;
            case Activity.Fetching fetching ->
                fetching.demand().or(fetching.later()).compareTo(demand) >= 0;
            case Activity.Idle idle -> false;
            case Activity.Closed closed -> false;
        };
    }

    /// Whether the result of the reading in progress counts.
    boolean isValid() {
        return !isClosed() && !(activity instanceof Activity.Fetching fetching && fetching.repeat() == Repeat.OBSOLETE);
    }

    /// The nanoseconds since the last reading began.
    long sinceRead(long now) {
        Long begunAt = last.begunAt();
        return begunAt == null ? Long.MAX_VALUE : now - begunAt;
    }

    /// Whether cached contents are used: not once the server itself has listed something.
    boolean takesCache() {
        boolean isUnheard = switch (listing) {
            case Listing.Unknown unknown -> true;
            case Listing.Restoring restoring -> true;
            case Listing.Restored restored -> true;
            case Listing.Foreign foreign -> foreign.source() == Source.NONE;
            case Listing.Received received -> false;
            case Listing.Current current -> false;
        };
        return isUnheard && !isClosed();
    }

    // ---- Transitions of the listing

    /// The cache has these contents. Lists that were known stay known.
    CatalogState fromCache(CatalogContents contents) {
        return with(isKnown() ? new Listing.Restored(contents) : new Listing.Restoring(contents));
    }

    /// Contents from the cache are published.
    CatalogState published() {
        return switch (listing) {
            case Listing.Restoring restoring -> with(new Listing.Restored(restoring.contents()));
            case Listing.Received received
            when !isKnown() -> with(new Listing.Received(received.contents(), Source.CACHE, received.failures()));
            case Listing other -> this;
        };
    }

    /// The server has listed these contents, except for the lists that failed. They are to be announced unless
    /// clients know them. If the contents are equal, the previous object is kept, because views are compared by
    /// identity.
    CatalogState listed(CatalogContents contents, Map<CatalogKind, String> failures) {
        boolean isAnnounced = listing instanceof Listing.Restored || listing instanceof Listing.Current;
        return isAnnounced && contents.equals(contents())
                ? current(contents(), failures)
                : with(new Listing.Received(contents, listing.source(), listing.failures()));
    }

    /// The contents that the server has listed are announced. They may have been discarded in the meantime.
    CatalogState announced(Map<CatalogKind, String> failures) {
        return listing instanceof Listing.Received received
                ? current(received.contents(), failures)
                : with(last.with(null));
    }

    private CatalogState current(CatalogContents contents, Map<CatalogKind, String> failures) {
        return with(new Listing.Current(contents, failures)).with(last.with(null));
    }

    /// The configuration has changed.
    CatalogState forgotten() {
        return with(new Listing.Foreign(contents(), isLive() ? Source.SERVER : Source.NONE));
    }

    // ---- Transitions of the activity

    /// The lists are requested.
    CatalogState requested(Demand demand, long now) {
        return with(
                switch (activity) {
                    case Activity.Idle idle ->
                        new Activity.Waiting(reading(now, last.begunAt() == null && !isKnown()), demand);
                    case Activity.Waiting waiting ->
                        new Activity.Waiting(waiting.reading(), waiting.demand().or(demand));
                    case Activity.Fetching(ServerCatalog.Reading reading, Demand of, Demand later, Repeat repeat) ->
                        new Activity.Fetching(reading, of, later.or(demand), repeat);
                    case Activity.Closed closed -> closed;
                });
    }

    /// The lists may have changed. Unknown lists are not read for that.
    CatalogState changed(long now) {
        return switch (activity) {
            case Activity.Idle idle -> isKnown() ? requested(Demand.CHANGE, now) : this;
            case Activity.Fetching fetching
            when fetching.repeat() == Repeat.NO -> with(repeated(fetching, Repeat.CHANGED));
            case Activity other -> this;
        };
    }

    /// The server has a new process or configuration: a reading in progress is obsolete.
    CatalogState renewed(long now) {
        CatalogState next = with(last.with(isClosed() ? last.failure() : null)).requested(Demand.CLIENT, now);
        return next.activity instanceof Activity.Fetching fetching
                ? next.with(repeated(fetching, Repeat.OBSOLETE))
                : next;
    }

    /// The lists are about to be fetched.
    CatalogState begun(long now) {
        return activity instanceof Activity.Waiting(ServerCatalog.Reading reading, Demand demand)
                ? with(new Activity.Fetching(reading, demand, Demand.CHANGE, Repeat.NO))
                        .with(last.begun(now))
                : this;
    }

    /// The reading has ended. Its repetition does not start a server that is down, unless it was obsolete.
    CatalogState ended(long now) {
        return with(
                switch (activity) {
                    case Activity.Fetching fetching
                    when fetching.repeat() == Repeat.OBSOLETE ->
                        new Activity.Waiting(reading(now, false), Demand.START);
                    case Activity.Fetching fetching
                    when fetching.repeat() == Repeat.CHANGED && isKnown() ->
                        new Activity.Waiting(
                                reading(now, false),
                                fetching.later() == Demand.CHANGE ? Demand.CHANGE : Demand.CONNECTION);
                    case Activity.Closed closed -> new Activity.Closed(null);
                    case Activity other -> new Activity.Idle();
                });
    }

    CatalogState closed() {
        return with(new Activity.Closed(reading()));
    }

    private static ServerCatalog.Reading reading(long now, boolean isFirst) {
        return new ServerCatalog.Reading(new Promise<>(), now, isFirst);
    }

    private static Activity repeated(Activity.Fetching fetching, Repeat repeat) {
        return new Activity.Fetching(fetching.reading(), fetching.demand(), fetching.later(), repeat);
    }

    // ---- Transitions of the last reading

    /// The reading has failed: known lists are read again when the server works.
    CatalogState failed(CallFailure failure) {
        return with(last.with(failure).behind(isKnown()));
    }

    /// The server is gone: known lists are read again when it works.
    CatalogState lost() {
        return with(last.behind(isKnown()));
    }

    /// The server works: lists that are behind are read again.
    CatalogState caughtUp(long now) {
        return last.isBehind() ? with(last.behind(false)).changed(now) : this;
    }

    /// A call has waited for the lists without success.
    CatalogState waitedInVain() {
        return with(last.waitedInVain(true));
    }

    /// There is a connection on which calls may wait for the lists.
    CatalogState connected() {
        return with(last.waitedInVain(false));
    }

    private CatalogState with(Listing next) {
        return new CatalogState(next, activity, last);
    }

    private CatalogState with(Activity next) {
        return new CatalogState(listing, next, last);
    }

    private CatalogState with(LastReading next) {
        return new CatalogState(listing, activity, next);
    }
}
