/// Call pipeline of one server: admission, queueing, retries, and the attribution of failures.
@org.jspecify.annotations.NullMarked
package dev.fusebox.client.resilience;
