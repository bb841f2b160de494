package dev.fusebox.cli;

import dev.fusebox.config.Configuration;
import dev.fusebox.config.ServerConfig;
import dev.fusebox.config.ServerEndpoint;
import dev.fusebox.config.ServerState.Ready;
import dev.fusebox.gateway.GatewayException;
import dev.fusebox.gateway.GatewayHome;
import dev.fusebox.gateway.ServerLogins;
import dev.fusebox.gateway.UpstreamFactory;
import dev.fusebox.oauth.LoginListener;
import dev.fusebox.oauth.ServerLogin;
import dev.fusebox.oauth.protocol.OAuthException;
import dev.fusebox.oauth.token.TokenRecord;
import dev.fusebox.platform.FuseboxCommand;
import dev.fusebox.platform.Platform;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/// The command `logout NAME`: revokes the tokens of a login where that is possible, deletes it, and tells the
/// running gateways. For one thread; blocks for the network.
final class LogoutCommand {
    private static final CommandArguments.Grammar GRAMMAR =
            new CommandArguments.Grammar("logout", Set.of("--json"), Set.of("--config"));

    /// More than a person makes for one server.
    private static final int MAX_LOGINS = 20;

    private final Platform platform;
    private final CommandOutput output;

    LogoutCommand(Platform platform, CommandOutput output) {
        this.platform = platform;
        this.output = output;
    }

    ExitStatus run(List<String> arguments) {
        try {
            CommandArguments given = CommandArguments.parse(GRAMMAR, arguments);
            if (given.names().size() != 1) {
                throw new ServeOptions.Problem("usage: logout NAME");
            }
            return logout(given, given.names().getFirst());
        } catch (ServeOptions.Problem problem) {
            output.err().println("fusebox: " + problem.getMessage());
            return ExitStatus.USAGE;
        } catch (OAuthException failed) {
            output.err().println("fusebox: " + failed.message());
            return ExitStatus.FAILED;
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return ExitStatus.FAILED;
        }
    }

    private ExitStatus logout(CommandArguments given, String name)
            throws ServeOptions.Problem, OAuthException, InterruptedException {
        String config = given.value("--config");
        ConfigPlace place = ConfigPlace.findRunning(config == null ? null : Path.of(config), platform, output);
        FuseboxCommand.uses(place.file());
        Configuration configuration = LoginCommand.configuration(place, platform);
        ServerConfig server = LoginCommand.remote(configuration, name);
        try (ServerLogins serverLogins = new ServerLogins(
                platform,
                GatewayHome.loginPlace(platform, configuration),
                UpstreamFactory.proxies(platform, configuration),
                LoginListener.NONE)) {
            return logout(given, server, serverLogins);
        } catch (GatewayException unusable) {
            throw new ServeOptions.Problem(String.valueOf(unusable.getMessage()));
        }
    }

    private ExitStatus logout(CommandArguments given, ServerConfig server, ServerLogins serverLogins)
            throws OAuthException, InterruptedException {
        ServerEndpoint endpoint = ((Ready) server.state()).endpoint();
        ServerLogin login = serverLogins
                .login(server.id(), Objects.requireNonNull(endpoint.address()))
                .orElse(null);
        Set<String> problems = new TreeSet<>();
        int deleted = login == null ? 0 : logout(login, serverLogins, problems);
        if (deleted > 0) {
            new RunningGatewayLogins(platform, output).loggedOut(server.id());
        }
        print(given, server.id(), deleted > 0, String.join("; ", problems));
        return ExitStatus.DONE;
    }

    /// An older login, made with another configuration, would be used in place of the deleted one.
    ///
    /// @param problems why tokens may still be valid
    /// @return the number of deleted logins
    private static int logout(ServerLogin login, ServerLogins serverLogins, Set<String> problems)
            throws OAuthException, InterruptedException {
        int deleted = 0;
        TokenRecord stored = login.tokenRecord();
        while (stored != null && deleted < MAX_LOGINS) {
            String problem = serverLogins.logins().flow(login.settings()).logout(stored);
            if (problem != null && !problem.isEmpty()) {
                problems.add(problem);
            }
            deleted++;
            login.reload();
            stored = login.tokenRecord();
        }
        return deleted;
    }

    /// @param problem why the tokens may still be valid; empty if they are not
    private void print(CommandArguments given, String server, boolean wasLoggedIn, String problem) {
        if (given.has("--json")) {
            output.out()
                    .println(LoginList.json(server, null, platform.wallClock().instant())
                            .name("deleted")
                            .bool(wasLoggedIn)
                            .name("revoked")
                            .bool(wasLoggedIn && problem.isEmpty())
                            .endObject());
        } else {
            output.out().println(wasLoggedIn ? "logged out of " + server : "there is no login to " + server);
        }
        if (!problem.isEmpty()) {
            output.err()
                    .println("fusebox: the server is logged out, but the tokens may be valid until they expire: "
                            + OutputText.plain(problem));
        }
    }
}
