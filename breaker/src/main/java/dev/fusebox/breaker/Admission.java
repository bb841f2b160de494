package dev.fusebox.breaker;

/** The result of a request to a breaker: a {@link Permit}, or a {@link Rejection} with the reason and the time. */
public sealed interface Admission permits Permit, Rejection {}
