package dev.fusebox.platform;

/// One process in the process table. Number and start time together identify a process for good. Immutable.
///
/// @param group number of its group; 0 if unknown
/// @param session number of its session; 0 if unknown
/// @param start when it started, in a unit of the operating system
/// @param zombie whether it has ended and waits to be reaped
public record ProcessEntry(long pid, long parent, long group, long session, long start, boolean zombie) {}
