package dev.fusebox.platform;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A program to start. Immutable.
///
/// @param command a path, or a name that is looked up in the PATH of `environment`; relative paths start at
/// `directory`
/// @param arguments without the command itself
/// @param environment all variables; nothing is added
/// @param directory its working directory; null for that of this process
public record Program(
        String command,
        List<String> arguments,
        Map<String, String> environment,
        @Nullable String directory) {
    public Program {
        arguments = List.copyOf(arguments);
        environment = Map.copyOf(environment);
    }

    /// The command only: arguments and variables contain secrets.
    @Override
    public String toString() {
        return "Program[" + command + "]";
    }
}
