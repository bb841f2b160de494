package dev.fusebox.client.process;

import dev.fusebox.client.redaction.Redactor;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Command line, environment and limits of a child process. Immutable.
///
/// @param command a path, or a name that is looked up in the PATH of the child
/// @param args without the command itself
/// @param env variables on top of the base environment; they win over inherited ones
/// @param inheritEnv names of variables that are inherited from this process
/// @param cwd working directory; null for that of this process
/// @param secrets known to the child, and hidden in all output and errors of it
/// @param own the variables that it inherits from; null for those of this process
public record ChildSpec(
        String command,
        List<String> args,
        Map<String, String> env,
        List<String> inheritEnv,
        @Nullable String cwd,
        ChildLimits limits,
        Redactor secrets,
        @Nullable Map<String, String> own) {
    public ChildSpec {
        args = List.copyOf(args);
        env = Map.copyOf(env);
        inheritEnv = List.copyOf(inheritEnv);
        own = own == null ? null : Map.copyOf(own);
    }

    /// A command with arguments, and defaults for everything else.
    public static ChildSpec of(String command, String... args) {
        return new ChildSpec(
                command, List.of(args), Map.of(), List.of(), null, ChildLimits.defaults(), Redactor.NONE, null);
    }

    public ChildSpec withEnv(Map<String, String> other) {
        return new ChildSpec(command, args, other, inheritEnv, cwd, limits, secrets, own);
    }

    public ChildSpec withInheritEnv(List<String> other) {
        return new ChildSpec(command, args, env, other, cwd, limits, secrets, own);
    }

    public ChildSpec withCwd(@Nullable String other) {
        return new ChildSpec(command, args, env, inheritEnv, other, limits, secrets, own);
    }

    /// The same for a child that inherits from these variables instead of those of this process.
    public ChildSpec withOwn(Map<String, String> other) {
        return new ChildSpec(command, args, env, inheritEnv, cwd, limits, secrets, other);
    }

    public ChildSpec withLimits(ChildLimits other) {
        return new ChildSpec(command, args, env, inheritEnv, cwd, other, secrets, own);
    }

    /// The same with these secrets hidden in all output and errors of the child.
    public ChildSpec withSecrets(Redactor other) {
        return new ChildSpec(command, args, env, inheritEnv, cwd, limits, other, own);
    }

    /// The command only, since arguments and variables may contain secrets.
    @Override
    public String toString() {
        return "ChildSpec[" + command + "]";
    }
}
