/// Numbers and traces of what the gateway does.
@org.jspecify.annotations.NullMarked
package dev.fusebox.gateway.telemetry;
