package dev.fusebox.breaker;

/**
 * The reason to open that a meter found when it counted a call, and the counts at that moment. Immutable.
 *
 * @param counts including the failure that trips, regardless of concurrent calls
 */
record Trip(Reason reason, Counts counts) {}
