/// The way to one server: who may go in, and in what order.
@org.jspecify.annotations.NullMarked
package dev.fusebox.client.resilience;
