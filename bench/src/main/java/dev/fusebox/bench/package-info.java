/// Measures what a call through a breaker costs, beside Resilience4j and Failsafe in the same run, and writes the
/// result down. Begin with [Goal]: it says what is compared with what.
@NullMarked
package dev.fusebox.bench;

import org.jspecify.annotations.NullMarked;
