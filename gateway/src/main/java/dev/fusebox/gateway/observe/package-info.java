/// Observability: events, log buffer and log files, metrics and traces of a gateway.
@org.jspecify.annotations.NullMarked
package dev.fusebox.gateway.observe;
