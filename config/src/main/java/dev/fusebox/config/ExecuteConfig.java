package dev.fusebox.config;

import java.time.Duration;

/// Limits for scripts. Immutable.
///
/// @param isEnabled whether clients may run scripts
/// @param limit the longest run time; a call may set a shorter one
/// @param memoryMb memory of a script in mebibytes
/// @param maxCalls calls of a script
/// @param maxOutputBytes size of the result and the log of a script together
/// @param runsAtOnce scripts that run at the same time
public record ExecuteConfig(
        boolean isEnabled, Duration limit, int memoryMb, int maxCalls, int maxOutputBytes, int runsAtOnce) {}
