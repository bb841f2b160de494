package dev.fusebox.client.process;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What to start, and within which limits.
///
/// @param command a path, or a name that is looked up in the child's PATH
/// @param args without the command itself
/// @param env variables on top of the base environment; they win over inherited ones
/// @param inheritEnv names of our own variables that are handed on
/// @param cwd where it runs; null for our own directory
public record ChildSpec(
        String command,
        List<String> args,
        Map<String, String> env,
        List<String> inheritEnv,
        @Nullable String cwd,
        ChildLimits limits) {
    public ChildSpec {
        args = List.copyOf(args);
        env = Map.copyOf(env);
        inheritEnv = List.copyOf(inheritEnv);
    }

    /// A command with arguments, and everything else as usual.
    public static ChildSpec of(String command, String... args) {
        return new ChildSpec(command, List.of(args), Map.of(), List.of(), null, ChildLimits.defaults());
    }

    public ChildSpec withEnv(Map<String, String> other) {
        return new ChildSpec(command, args, other, inheritEnv, cwd, limits);
    }

    public ChildSpec withInheritEnv(List<String> other) {
        return new ChildSpec(command, args, env, other, cwd, limits);
    }

    public ChildSpec withCwd(@Nullable String other) {
        return new ChildSpec(command, args, env, inheritEnv, other, limits);
    }

    public ChildSpec withLimits(ChildLimits other) {
        return new ChildSpec(command, args, env, inheritEnv, cwd, other);
    }

    /// The command only: arguments and variables hold secrets.
    @Override
    public String toString() {
        return "ChildSpec[" + command + "]";
    }
}
