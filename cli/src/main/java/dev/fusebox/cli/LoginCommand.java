package dev.fusebox.cli;

import dev.fusebox.client.CallFailure;
import dev.fusebox.config.Configuration;
import dev.fusebox.config.Overrides;
import dev.fusebox.config.ReadResult;
import dev.fusebox.config.SelfReference;
import dev.fusebox.config.ServerConfig;
import dev.fusebox.config.ServerEndpoint;
import dev.fusebox.config.ServerState.Ready;
import dev.fusebox.config.SpellingSuggestion;
import dev.fusebox.gateway.CoreOptions;
import dev.fusebox.gateway.GatewayCore;
import dev.fusebox.gateway.GatewayException;
import dev.fusebox.gateway.GatewayHome;
import dev.fusebox.gateway.PersistentState;
import dev.fusebox.gateway.ServeMode;
import dev.fusebox.gateway.lifecycle.ServerHealth;
import dev.fusebox.gateway.routing.MultipleServers;
import dev.fusebox.gateway.routing.UpstreamServers;
import dev.fusebox.oauth.LoginFlow;
import dev.fusebox.oauth.ServerLogin;
import dev.fusebox.oauth.protocol.LoginSettings;
import dev.fusebox.oauth.protocol.OAuthException;
import dev.fusebox.oauth.token.TokenRecord;
import dev.fusebox.oauth.token.TokenRecord.GrantType;
import dev.fusebox.platform.FuseboxCommand;
import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.JsonWriter;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The command `login NAME`: connects to the server to learn what it asks for, logs in, connects again with the
/// login, and tells the running gateways. For one thread; blocks for the network and for the person.
final class LoginCommand {
    private final Platform platform;
    private final InputStream in;
    private final LoginOptions options;
    private final CommandOutput output;

    private LoginCommand(Platform platform, InputStream in, LoginOptions options, CommandOutput output) {
        this.platform = platform;
        this.in = in;
        this.options = options;
        this.output = output;
    }

    /// Runs the command with the arguments of `login`.
    ///
    /// @param in what the person enters
    static ExitStatus run(Platform platform, InputStream in, List<String> arguments, CommandOutput output) {
        LoginOptions options = null;
        try {
            options = LoginOptions.parse(arguments);
            return switch (options.action()) {
                case LIST -> new LoginList(platform, options, output).print();
                case METADATA -> new LoginList(platform, options, output).printMetadata();
                case LOGIN -> new LoginCommand(platform, in, options, output).login();
            };
        } catch (ServeOptions.Problem problem) {
            output.err().println("fusebox: " + problem.getMessage());
            return ExitStatus.USAGE;
        } catch (OAuthException failed) {
            output.err().println("fusebox: " + OutputText.plain(failed.message()));
            if (options != null && options.asJson()) {
                output.out().println(json(options.server(), failed));
            }
            return ExitStatus.FAILED;
        } catch (IOException failed) {
            output.err().println("fusebox: " + failed.getMessage());
            return ExitStatus.FAILED;
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return ExitStatus.FAILED;
        }
    }

    private static JsonWriter json(String server, OAuthException failed) {
        JsonWriter json = new JsonWriter().beginObject();
        json.name("server")
                .string(server)
                .name("loggedIn")
                .bool(false)
                .name("error")
                .beginObject();
        json.name("id").string(failed.id().toString()).name("message").string(failed.message());
        return json.endObject().endObject();
    }

    private ExitStatus login() throws ServeOptions.Problem, OAuthException, IOException, InterruptedException {
        ConfigPlace place = ConfigPlace.findRunning(options.config(), platform, output);
        FuseboxCommand.uses(place.file());
        Configuration configuration = configuration(place, platform);
        ServerConfig server = remote(configuration, options.server());
        Map<String, Boolean> off = configuration.servers().stream()
                .map(ServerConfig::id)
                .filter(id -> !id.equals(server.id()))
                .collect(Collectors.toMap(id -> id, id -> false));
        try (GatewayCore gateway = GatewayCore.open(
                platform.withEnvironment(SelfReference.below(platform.environment(), place.file())),
                configuration.switched(off),
                CoreOptions.of(ServeMode.TO_MANY)
                        .with(PersistentState.NOTHING.withLogins(GatewayHome.loginFolder(platform))))) {
            return login(gateway, server);
        } catch (GatewayException unusable) {
            throw new ServeOptions.Problem(String.valueOf(unusable.getMessage()));
        }
    }

    static Configuration configuration(ConfigPlace place, Platform platform) throws ServeOptions.Problem {
        return switch (place.read(platform, Overrides.NONE.with("--expose", "meta"))) {
            case ReadResult.Refused refused ->
                throw new ServeOptions.Problem(
                        place.file() + " cannot be used: " + refused.problems().getFirst());
            case ReadResult.Usable usable -> usable.configuration();
        };
    }

    /// The server of this name, which must have a URL.
    static ServerConfig remote(Configuration configuration, String name) throws ServeOptions.Problem {
        List<String> names =
                configuration.servers().stream().map(ServerConfig::id).toList();
        ServerConfig server = configuration.servers().stream()
                .filter(each -> each.id().equals(name))
                .findFirst()
                .orElseThrow(() -> new ServeOptions.Problem("no server \"" + name + "\" in the configuration."
                        + SpellingSuggestion.nearest(name, names)
                                .map(near -> " Did you mean \"" + near + "\"?")
                                .orElse("")));
        if (!(server.state() instanceof Ready(ServerEndpoint endpoint))) {
            throw new ServeOptions.Problem(
                    name + " cannot be connected to: `" + FuseboxCommand.onFile("config", "check") + "` shows why");
        }
        if (endpoint.address() == null) {
            throw new ServeOptions.Problem(
                    endpoint.url() == null
                            ? name + " is a process on this machine, and gets its credentials from \"env\"; there is"
                                    + " no login"
                            : name + " is a server over TCP or a Unix socket, which cannot carry credentials; there"
                                    + " is no login");
        }
        return server;
    }

    /// Why a server uses no login.
    private static String ownCredentials(ServerConfig server) {
        ServerEndpoint.Remote remote =
                server.state() instanceof Ready(ServerEndpoint endpoint) ? endpoint.address() : null;
        if (remote == null || !remote.oauth().isEnabled()) {
            return "because \"oauth\" is false";
        }
        return remote.headersHelper().isEmpty()
                ? "because the configuration has an Authorization header for it, or there is no place for logins"
                : "because the program of \"headersHelper\" prints its credentials";
    }

    private ExitStatus login(GatewayCore gateway, ServerConfig serverConfig)
            throws ServeOptions.Problem, OAuthException, IOException, InterruptedException {
        String server = serverConfig.id();
        ServerLogin serverLogin = gateway.logins()
                .login(server)
                .orElseThrow(
                        () -> new ServeOptions.Problem(server + " uses no login, " + ownCredentials(serverConfig)));
        if (!(gateway.service() instanceof MultipleServers(UpstreamServers servers, var _))) {
            throw new IllegalStateException("this gateway was opened for many servers");
        }
        ServerHealth before = servers.connect(server);
        boolean isOpen = before != null && before.live() > 0 && serverLogin.challenge() == null;
        if (isOpen && serverLogin.tokenRecord() == null && options.scopes().isEmpty()) {
            output.out().println(server + " needs no login: it answered without one");
            return ExitStatus.DONE;
        }
        LoginSettings settings = serverLogin.settings();
        LoginFlow flow = gateway.logins().logins().flow(settings);
        LoginFlow.Wish wish = new LoginFlow.Wish(serverLogin.challenge(), Set.copyOf(options.scopes()));
        TokenRecord made;
        if (settings.grant() == GrantType.CLIENT_CREDENTIALS) {
            made = flow.withClientCredentials(wish);
        } else {
            TerminalPerson person =
                    new TerminalPerson(platform, new TerminalPerson.Terminal(in, output), server, options);
            made = options.onDevice() ? flow.onDevice(wish, person) : flow.inBrowser(wish, person);
        }
        ServerHealth after = servers.loggedIn(server);
        new RunningGatewayLogins(platform, output).loggedIn(server);
        return report(server, made, after);
    }

    private ExitStatus report(String server, TokenRecord made, @Nullable ServerHealth after) {
        boolean isUp = after != null && after.live() > 0 && !after.status().isDown();
        if (options.asJson()) {
            output.out()
                    .println(LoginList.json(server, made, platform.wallClock().instant())
                            .name("status")
                            .string(after == null ? null : after.status().toString())
                            .name("statusMessage")
                            .string(after == null ? null : after.message())
                            .endObject());
        } else {
            String subject = made.grant().subject();
            String scopes = made.tokens().scopes().isEmpty()
                    ? ""
                    : ", scopes " + String.join(" ", new TreeSet<>(made.tokens().scopes()));
            output.out()
                    .println("logged in to " + server + (subject == null ? "" : " as " + OutputText.plain(subject))
                            + scopes);
        }
        Set<String> refused = new TreeSet<>(made.tokens().scopes().isEmpty() ? List.of() : options.scopes());
        refused.removeAll(made.tokens().scopes());
        if (!refused.isEmpty()) {
            output.err()
                    .println("fusebox: the authorization server did not grant: "
                            + OutputText.plain(String.join(" ", refused)));
        }
        if (!isUp) {
            CallFailure failure = after == null ? null : after.lastFailure();
            String cause = failure == null ? after == null ? "not reachable" : after.message() : failure.message();
            output.err()
                    .println("fusebox: the login is stored, but " + server + " does not work with it: "
                            + OutputText.plain(cause));
        }
        return isUp ? ExitStatus.DONE : ExitStatus.FAILED;
    }
}
