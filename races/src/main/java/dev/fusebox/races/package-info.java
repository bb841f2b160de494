/// Concurrency tests (jcstress) of the breaker and the bulkheads. Each nested class is one race: two actors start
/// from the same state, an arbiter checks the result, and every outcome that is not listed as acceptable is a
/// failure.
@NullMarked
package dev.fusebox.races;

import org.jspecify.annotations.NullMarked;
