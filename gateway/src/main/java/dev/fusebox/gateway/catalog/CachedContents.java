package dev.fusebox.gateway.catalog;

import dev.fusebox.gateway.era.EraStore;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// The cached lists of one server, with what is needed to judge whether they still apply. Immutable.
///
/// @param contents the cached lists
/// @param era protocol era of the server; null if unknown
/// @param readAt wall-clock time at which the lists were read; null if unknown
/// @param launch checksum of what the server was launched with; null if unknown
/// @param profile client capabilities that the server was given when it returned these lists; null if unknown
/// @param sharing what the server has shown about sharing its process
public record CachedContents(
        CatalogContents contents,
        EraStore.@Nullable ProbeResult era,
        @Nullable Instant readAt,
        @Nullable String launch,
        @Nullable String profile,
        SharingHistory sharing) {}
