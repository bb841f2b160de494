/// The persistent cache of server catalogs and embeddings. It is optional, and a server's own answer always
/// overrides it.
@org.jspecify.annotations.NullMarked
package dev.fusebox.gateway.cache;
