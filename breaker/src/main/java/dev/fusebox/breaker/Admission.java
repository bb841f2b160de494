package dev.fusebox.breaker;

/** A breaker's answer to a caller: a {@link Permit}, or a {@link Rejection} with the reason and the time. */
public sealed interface Admission permits Permit, Rejection {}
