/// The real way to a server, all of it, between simulated servers and simulated clients on simulated time.
@NullMarked
package dev.fusebox.simulation.pipeline;

import org.jspecify.annotations.NullMarked;
