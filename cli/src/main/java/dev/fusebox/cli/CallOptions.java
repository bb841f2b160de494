package dev.fusebox.cli;

import dev.fusebox.platform.FuseboxCommand;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The options of `call`. Immutable.
///
/// @param server of the tool; empty if only the exposed name is known
/// @param limit the call timeout; null for the server's own
/// @param gateway the process id of the gateway; null if there is only one
/// @param config the configuration file; null for the file of the running gateway, or the default
record CallOptions(
        String server,
        String tool,
        GivenArguments arguments,
        boolean asJson,
        @Nullable Duration limit,
        @Nullable Long gateway,
        @Nullable Path config) {
    static final String TIMEOUT = "--timeout";
    static final String CONFIG = "--config";

    /// The longest timeout that the gateway accepts.
    private static final Duration LONGEST = Duration.ofDays(1);

    static CallOptions parse(List<String> words) throws ServeOptions.Problem {
        GatewayCommandOptions plain = GatewayCommandOptions.parse("call", words);
        List<String> names = plain.names();
        if (names.isEmpty()) {
            throw withoutTool();
        }
        Named named = named(names);
        GivenArguments arguments = GivenArguments.parse(names.subList(named.words(), names.size()));
        String limit = plain.commandArguments().value(TIMEOUT);
        return new CallOptions(
                named.server(),
                named.tool(),
                arguments,
                plain.asJson(),
                limit == null ? null : limit(limit),
                plain.gateway(),
                ConfigCommand.named(plain.commandArguments()));
    }

    /// The tool that is called.
    ///
    /// @param words the number of arguments that name the tool
    private record Named(String server, String tool, int words) {}

    /// Parses `SERVER/TOOL`, `SERVER TOOL`, or the exposed name, which is one word without a slash.
    private static Named named(List<String> names) throws ServeOptions.Problem {
        String first = names.getFirst();
        int slash = first.indexOf('/');
        if (slash == 0 || (slash > 0 && slash == first.length() - 1)) {
            throw withoutTool();
        }
        if (slash > 0) {
            return new Named(first.substring(0, slash), first.substring(slash + 1), 1);
        }
        boolean isShown = names.size() == 1 || GivenArguments.isOne(names.get(1));
        return isShown ? new Named("", first, 1) : new Named(first, names.get(1), 2);
    }

    static ServeOptions.Problem withoutTool() {
        return new ServeOptions.Problem("usage: call SERVER/TOOL [ARGUMENT...], for example `"
                + FuseboxCommand.of("call", "files/read", "path=a.txt") + "`");
    }

    /// Whether the tool is given by its exposed name and its server is not known yet.
    boolean isShown() {
        return server.isEmpty();
    }

    CallOptions with(ToolName name) {
        return new CallOptions(name.server(), name.own(), arguments, asJson, limit, gateway, config);
    }

    CallOptions with(GivenArguments other) {
        return new CallOptions(server, tool, other, asJson, limit, gateway, config);
    }

    private static Duration limit(String text) throws ServeOptions.Problem {
        if (!text.matches("[1-9]\\d{0,8}")) {
            throw new ServeOptions.Problem("invalid --timeout \"" + text + "\": must be a number of milliseconds");
        }
        Duration limit = Duration.ofMillis(Long.parseLong(text));
        if (limit.compareTo(LONGEST) > 0) {
            throw new ServeOptions.Problem(
                    "invalid --timeout \"" + text + "\": the maximum is one day (" + LONGEST.toMillis() + " ms)");
        }
        return limit;
    }
}
