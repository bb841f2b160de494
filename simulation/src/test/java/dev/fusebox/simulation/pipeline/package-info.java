/// Simulations of the complete real call pipeline, between simulated servers and simulated clients on simulated
/// time.
@NullMarked
package dev.fusebox.simulation.pipeline;

import org.jspecify.annotations.NullMarked;
