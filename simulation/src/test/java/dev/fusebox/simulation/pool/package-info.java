/// Real pools with connections in memory, under the seeded scheduler.
@org.jspecify.annotations.NullMarked
package dev.fusebox.simulation.pool;
