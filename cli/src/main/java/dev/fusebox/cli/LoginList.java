package dev.fusebox.cli;

import dev.fusebox.config.Configuration;
import dev.fusebox.config.ServerConfig;
import dev.fusebox.config.ServerEndpoint;
import dev.fusebox.config.ServerState.Ready;
import dev.fusebox.gateway.GatewayException;
import dev.fusebox.gateway.GatewayHome;
import dev.fusebox.gateway.ServerLogins;
import dev.fusebox.gateway.UpstreamFactory;
import dev.fusebox.gateway.observe.UtcTimestamp;
import dev.fusebox.oauth.LoginListener;
import dev.fusebox.oauth.ServerLogin;
import dev.fusebox.oauth.login.CallbackListener;
import dev.fusebox.oauth.protocol.ClientMetadataDocument;
import dev.fusebox.oauth.token.TokenRecord;
import dev.fusebox.oauth.token.TokenState;
import dev.fusebox.platform.FuseboxCommand;
import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.JsonWriter;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// The commands `login --list` and `login --metadata`. For one thread; blocks on the storage.
final class LoginList {
    private final Platform platform;
    private final LoginOptions options;
    private final CommandOutput output;

    LoginList(Platform platform, LoginOptions options, CommandOutput output) {
        this.platform = platform;
        this.options = options;
        this.output = output;
    }

    ExitStatus print() throws ServeOptions.Problem {
        ConfigPlace place = ConfigPlace.findRunning(options.config(), platform, output);
        FuseboxCommand.uses(place.file());
        Configuration configuration = LoginCommand.configuration(place, platform);
        List<ServerConfig> servers = options.server().isEmpty()
                ? configuration.servers()
                : List.of(LoginCommand.remote(configuration, options.server()));
        JsonWriter json = new JsonWriter().beginObject().name("logins").beginArray();
        int listed = 0;
        try (ServerLogins serverLogins = logins(configuration)) {
            for (ServerConfig server : servers) {
                ServerEndpoint.Remote remote =
                        server.state() instanceof Ready(ServerEndpoint endpoint) ? endpoint.address() : null;
                ServerLogin login = remote == null
                        ? null
                        : serverLogins.login(server.id(), remote).orElse(null);
                if (login == null) {
                    continue;
                }
                TokenRecord stored = login.tokenRecord();
                json.raw(json(server.id(), stored, now()).endObject().toString());
                if (!options.asJson()) {
                    output.out().println(server.id() + "  " + line(server.id(), stored));
                }
                listed++;
            }
        }
        if (options.asJson()) {
            output.out().println(json.endArray().endObject());
        } else if (listed == 0) {
            output.out().println("no server with a url uses a login");
        }
        return ExitStatus.DONE;
    }

    private Instant now() {
        return platform.wallClock().instant();
    }

    private ServerLogins logins(Configuration configuration) throws ServeOptions.Problem {
        try {
            return new ServerLogins(
                    platform,
                    GatewayHome.loginPlace(platform, configuration),
                    UpstreamFactory.proxies(platform, configuration),
                    LoginListener.NONE);
        } catch (GatewayException unusable) {
            throw new ServeOptions.Problem(String.valueOf(unusable.getMessage()));
        }
    }

    private static String line(String server, @Nullable TokenRecord stored) {
        if (stored == null) {
            return "not logged in; `" + FuseboxCommand.onFile("login", server) + "` logs in";
        }
        String subject = stored.grant().subject();
        Instant expiresAt = stored.tokens().expiresAt();
        String state = switch (stored.state()) {
            case TokenState.Ready _, TokenState.Refreshing _ -> "";
            case TokenState.Waiting waiting ->
                "; last refresh failed: " + waiting.failure().message();
            case TokenState.Rejected rejected ->
                "; " + rejected.reason() + "; `" + FuseboxCommand.onFile("login", server) + "` logs in again";
        };
        return OutputText.plain("logged in"
                + (subject == null ? "" : " as " + subject)
                + (stored.tokens().scopes().isEmpty()
                        ? ""
                        : ", scopes "
                                + String.join(" ", new TreeSet<>(stored.tokens().scopes())))
                + (expiresAt == null ? "" : ", access token until " + UtcTimestamp.of(expiresAt))
                + ", renewed by " + stored.renewal() + state);
    }

    /// The open object of a login.
    ///
    /// @param stored null if there is none
    static JsonWriter json(String server, @Nullable TokenRecord stored, Instant now) {
        JsonWriter json = new JsonWriter().beginObject();
        json.name("server").string(server).name("loggedIn").bool(stored != null && stored.isLoggedIn(now));
        if (stored == null) {
            return json;
        }
        Instant expiresAt = stored.tokens().expiresAt();
        json.name("issuer").string(stored.key().issuer());
        json.name("resource").string(stored.key().resource());
        json.name("subject").string(stored.grant().subject());
        json.name("scopes").beginArray();
        new TreeSet<>(stored.tokens().scopes()).forEach(json::string);
        json.endArray();
        json.name("expiresAt").string(expiresAt == null ? null : UtcTimestamp.of(expiresAt));
        json.name("renewal").string(stored.renewal());
        json.name("lastFailure").string(stored.lastFailure());
        return json;
    }

    /// Prints the client id metadata document to host, for the address that the configuration names.
    ExitStatus printMetadata() throws ServeOptions.Problem {
        ConfigPlace place = ConfigPlace.find(options.config(), platform).printed(output);
        List<URI> urls = LoginCommand.configuration(place, platform).servers().stream()
                .map(server -> server.state() instanceof Ready(ServerEndpoint endpoint) ? endpoint.address() : null)
                .map(remote -> remote == null ? null : remote.oauth().clientMetadataUrl())
                .filter(url -> url != null)
                .distinct()
                .toList();
        if (urls.size() != 1) {
            throw new ServeOptions.Problem(
                    urls.isEmpty()
                            ? "no server has \"oauth\": {\"clientMetadataUrl\": ...}; set it to the address where you"
                                    + " will host the document"
                            : "the servers have different addresses under clientMetadataUrl: " + urls);
        }
        output.out()
                .println(ClientMetadataDocument.hosted(
                        urls.getFirst(), List.of("http://127.0.0.1" + CallbackListener.PATH)));
        return ExitStatus.DONE;
    }
}
