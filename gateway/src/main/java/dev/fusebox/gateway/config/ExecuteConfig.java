package dev.fusebox.gateway.config;

import dev.fusebox.sandbox.SandboxLimits;
import java.time.Duration;

/// What scripts may cost. Immutable.
///
/// @param isEnabled whether there are any
/// @param limit how long a script may run; its caller may say less
/// @param rules all other limits
public record ExecuteConfig(boolean isEnabled, Duration limit, SandboxLimits rules) {}
