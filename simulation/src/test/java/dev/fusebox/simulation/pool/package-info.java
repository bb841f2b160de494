/// Simulations of real pools with in-memory connections, under the seeded scheduler.
@org.jspecify.annotations.NullMarked
package dev.fusebox.simulation.pool;
