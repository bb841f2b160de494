/// Real threads at a turnstile, by a hand-moved clock.
@org.jspecify.annotations.NullMarked
package dev.fusebox.client.resilience;
