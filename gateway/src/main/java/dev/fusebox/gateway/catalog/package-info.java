/// The catalog of one server: its tools, prompts and resources as it lists them, the names under which clients
/// see them, and their cache entry. Knows nothing of other servers or of calls.
@org.jspecify.annotations.NullMarked
package dev.fusebox.gateway.catalog;
