/// Tests of the call pipeline, with real threads and a manual clock.
@org.jspecify.annotations.NullMarked
package dev.fusebox.client.resilience;
