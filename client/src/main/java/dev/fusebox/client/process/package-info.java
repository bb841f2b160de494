/// Child processes that cannot hurt anybody: starting, feeding, reading and ending a server's process tree.
///
/// [dev.fusebox.client.process.ChildProcesses] is made once and closed at the end; a
/// [dev.fusebox.client.process.ChildProcess] is one running server. Nothing here knows what the lines mean that go
/// in and out.
package dev.fusebox.client.process;
