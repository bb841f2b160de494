package dev.fusebox.gateway.upstream;

/// A view of clients in which servers stand. Immutable; two are equal if they are the same.
///
/// @param catalogListener notified of changes; must not block
/// @param readers its clients
/// @param origin where its clients are; views of equal origin see the same configuration, or a part of it
public record ServerView(CatalogListener catalogListener, UpstreamContext.Readers readers, Object origin) {}
