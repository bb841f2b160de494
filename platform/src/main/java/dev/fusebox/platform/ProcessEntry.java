package dev.fusebox.platform;

/// One process as the machine lists it. Number and start together name a process for good.
///
/// @param group number of its group; 0 if unknown
/// @param session number of its session; 0 if unknown
/// @param start when it started, in a unit of the machine's own
/// @param zombie whether it has ended and waits to be reaped
public record ProcessEntry(long pid, long parent, long group, long session, long start, boolean zombie) {}
