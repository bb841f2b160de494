/// Tests without sleeping, for code that takes time, waiting and random numbers from a `Platform`.
///
/// Three tools:
///
/// - [dev.fusebox.testkit.ManualTime]: a clock that a test moves by hand. For code that runs on the thread of the
///   test: state machines, cooldowns, timers.
/// - [dev.fusebox.testkit.Simulation]: runs real, blocking code of many virtual threads under one scheduler that
///   draws every next step from a seed. For code that waits. [dev.fusebox.testkit.Seeds] runs many seeds and names
///   the one that fails.
/// - [dev.fusebox.testkit.Eventually]: bounded waiting for a condition in real time. For tests with real threads
///   and processes.
///
/// The simulation needs `--add-opens java.base/java.lang=ALL-UNNAMED` on the command line of the tests
/// (`=dev.fusebox.testkit` when the testkit is on the module path), on JDK 25.
package dev.fusebox.testkit;
