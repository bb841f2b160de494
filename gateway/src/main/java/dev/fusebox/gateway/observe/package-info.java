/// What the gateway and its servers have written: the last lines in memory, and files for gateways that nobody
/// sees.
@org.jspecify.annotations.NullMarked
package dev.fusebox.gateway.observe;
