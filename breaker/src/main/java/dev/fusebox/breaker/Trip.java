package dev.fusebox.breaker;

/**
 * What a meter found when it counted a call: a reason to open, and what was counted at that moment. Immutable.
 *
 * @param counts with the failure that trips in them, whatever other calls count meanwhile
 */
record Trip(Reason reason, Counts counts) {}
