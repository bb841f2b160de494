/// The other side of the wire: a server with all that the protocol has, which misbehaves on demand, and a line
/// between two peers that can be cut.
///
/// - [dev.fusebox.testkit.server.ServerScript]: what a server does: its eras, its faults, its page size, its
///   journal.
/// - [dev.fusebox.testkit.server.ScriptedServer]: the command that starts such a server as a process of its own,
///   over standard input and output or over HTTP.
/// - [dev.fusebox.testkit.server.FixtureServer]: the same over HTTP in the process of the test.
/// - [dev.fusebox.testkit.server.FaultProxy]: a line over TCP that refuses, resets, swallows, delays, drips and
///   cuts.
///
/// It speaks the revisions 2024-11-05 to 2025-11-25 and the stateless 2026-07-28, and offers what the conformance
/// suite of the protocol asks for.
package dev.fusebox.testkit.server;
