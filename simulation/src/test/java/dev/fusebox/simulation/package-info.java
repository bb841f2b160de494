/// Simulations of the breaker and its companions as real code on simulated time: many callers, servers that fail
/// in many ways, and invariants that are checked after every step.
@NullMarked
package dev.fusebox.simulation;

import org.jspecify.annotations.NullMarked;
