package dev.fusebox.cli;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The arguments of the command `login`. Immutable.
///
/// @param server empty for `--metadata`, and for `--list` of all servers
/// @param onDevice whether the person logs in on another device
/// @param scopes to request in addition to those that the server asks for
/// @param config the named configuration file; null for the usual one
record LoginOptions(
        Action action,
        String server,
        boolean onDevice,
        boolean withBrowser,
        List<String> scopes,
        boolean asJson,
        @Nullable Path config) {
    private static final String USAGE =
            "usage: login NAME [--device] [--no-browser] [--scope SCOPE]..., login --list," + " or login --metadata";
    private static final CommandArguments.Grammar GRAMMAR = new CommandArguments.Grammar(
            "login",
            Set.of("--device", "--no-browser", "--json", "--list", "--metadata"),
            Set.of("--config"),
            Set.of("--scope"),
            Integer.MAX_VALUE);

    /// What the command does.
    enum Action {
        LOGIN,
        LIST,
        METADATA
    }

    static LoginOptions parse(List<String> arguments) throws ServeOptions.Problem {
        CommandArguments given = CommandArguments.parse(GRAMMAR, arguments);
        boolean isList = given.has("--list");
        boolean isMetadata = given.has("--metadata");
        boolean isLogin = !isList && !isMetadata;
        if ((isList && isMetadata)
                || given.names().size() > 1
                || (isLogin && given.names().isEmpty())) {
            throw new ServeOptions.Problem(USAGE);
        }
        if (!isLogin
                && (given.has("--device")
                        || given.has("--no-browser")
                        || !given.all("--scope").isEmpty())) {
            throw new ServeOptions.Problem(
                    "--device, --no-browser and --scope are only valid with the name of a server");
        }
        if (given.all("--scope").stream().anyMatch(String::isBlank)) {
            throw new ServeOptions.Problem("--scope needs the name of a scope");
        }
        String config = given.value("--config");
        return new LoginOptions(
                isList ? Action.LIST : isMetadata ? Action.METADATA : Action.LOGIN,
                given.names().isEmpty() ? "" : given.names().getFirst(),
                given.has("--device"),
                !given.has("--no-browser"),
                given.all("--scope").stream()
                        .flatMap(scopes -> List.of(scopes.strip().split("\\s+", -1)).stream())
                        .filter(scope -> !scope.isEmpty())
                        .toList(),
                given.has("--json"),
                config == null ? null : Path.of(config));
    }
}
