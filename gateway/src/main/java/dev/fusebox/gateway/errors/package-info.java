/// Stable ids for everything that can go wrong, and the mapping from failures to them.
@org.jspecify.annotations.NullMarked
package dev.fusebox.gateway.errors;
