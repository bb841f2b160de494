/// The seam between Fusebox and the machine: clocks, random numbers, timers, environment.
///
/// [dev.fusebox.platform.Platform] is made once, in `main`, and passed down by constructors. Code that takes time,
/// waiting and random numbers from there runs unchanged under a clock that a test moves by hand, and under a
/// seeded scheduler (both are in the testkit). This package is the only place that asks the JDK for the time.
package dev.fusebox.platform;
