/// Limits on the size of results: text that is too long for clients is cut, and the rest is kept for a while in parts;
/// other content that is too long is refused.
@org.jspecify.annotations.NullMarked
package dev.fusebox.gateway.result;
