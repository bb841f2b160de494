/// Child processes: start, input, output, and termination of the process tree of a server.
///
/// [dev.fusebox.client.process.ChildProcesses] is opened once and closed at shutdown; a
/// [dev.fusebox.client.process.ChildProcess] is one running server. This package does not interpret the lines that
/// it passes on.
package dev.fusebox.client.process;
