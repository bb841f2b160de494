package dev.fusebox.gateway.settings;

import dev.fusebox.config.ExecuteConfig;
import dev.fusebox.sandbox.SandboxLimits;

/// The limits of scripts. Pure functions; thread-safe.
public final class ScriptSettings {
    private ScriptSettings() {}

    /// The limits of the sandbox.
    public static SandboxLimits of(ExecuteConfig execute) {
        return SandboxLimits.defaults()
                .withMemoryMb(execute.memoryMb())
                .withMaxCalls(execute.maxCalls())
                .withMaxOutputBytes(execute.maxOutputBytes())
                .withRunsAtOnce(execute.runsAtOnce());
    }
}
