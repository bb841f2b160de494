package dev.fusebox.gateway.upstream;

import dev.fusebox.gateway.era.EraStore;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// What the cache holds of one server. Immutable.
///
/// @param contents all that it listed
/// @param era which protocol era it spoke; null if that is not known
/// @param readAt when it was asked for its lists, by the wall clock; null if that is not known
/// @param launch checksum of what the server was launched with; null if that is not known
/// @param profile what the server was told of the abilities of the client that it listed this for; null if that is
/// not
///     known
record CachedContents(
        CatalogContents contents,
        EraStore.@Nullable Verdict era,
        @Nullable Instant readAt,
        @Nullable String launch,
        @Nullable String profile) {
    CachedContents(
            CatalogContents contents,
            EraStore.@Nullable Verdict era,
            @Nullable Instant readAt,
            @Nullable String launch) {
        this(contents, era, readAt, launch, null);
    }
}
