package dev.fusebox.gateway.config;

import dev.fusebox.client.http.HttpProxy;
import dev.fusebox.client.http.HttpTarget;
import dev.fusebox.client.http.OutboundRoute;
import dev.fusebox.client.http.ProxyRules;
import dev.fusebox.client.http.TlsTrust;
import dev.fusebox.client.process.ChildLimits;
import dev.fusebox.client.process.ChildSpec;
import dev.fusebox.gateway.config.ValueType.Template.Written;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.InvalidPathException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Reads how one server is reached. Not thread-safe; may read a file of certificates.
///
/// @param server its section
/// @param variableExpansion of its texts
/// @param limits what a process is held to
/// @param surroundings what the file does not hold
record ServerEndpointReader(
        ConfigSection server,
        VariableExpansion variableExpansion,
        ChildLimits limits,
        ServerReader.Surroundings surroundings) {
    private static final Set<String> LATER = Set.of("unix", "tcp", "ws", "wss");

    private static final Pattern ADDRESS = Pattern.compile("(?i)https?://\\S+");

    private static final String PLAIN_SECRET =
            "holds a secret in plain text, and every user of this machine can read it with `ps`;";
    private static final String SHOWN_SECRET =
            "gets a secret from a variable, and every user of this machine can read it with `ps`;";
    private static final String IN_ENV = " hand it over in \"env\" if the server takes it there";

    /// Null if that cannot be told: something is wrong, and the section was told, or a variable is missing.
    @Nullable
    ServerEndpoint read() {
        boolean hasCommand = server.has(ServerKeys.COMMAND);
        boolean hasUrl = server.has(ServerKeys.URL);
        if (hasCommand && hasUrl) {
            server.at(ServerKeys.URL)
                    .error("stands beside \"command\": a server is a process or somewhere else; take one of them out");
        } else if (hasUrl) {
            refuse(ConfigKey.Use.PROCESS, "means nothing for a server with a url");
        } else if (hasCommand) {
            refuse(ConfigKey.Use.URL, "means nothing for a server with a command");
        } else if (server.isUnderstood()) {
            server.location().error("has neither \"command\" nor \"url\"");
        }
        ServerEndpoint asProcess = stdio(hasCommand && !hasUrl);
        ServerEndpoint byUrl = remote(hasUrl && !hasCommand);
        return asProcess == null ? byUrl : asProcess;
    }

    private void refuse(ConfigKey.Use use, String why) {
        for (ConfigKey<?> key : ServerKeys.ALL) {
            if (key.use() == use && server.has(key)) {
                server.at(key).error(why);
            }
        }
    }

    // ---- Processes

    /// All its texts are looked at even if it is none, so that every missing variable is named.
    private @Nullable ServerEndpoint stdio(boolean isMeant) {
        if (isMeant) {
            transportType(TransportType.STDIO, "must be stdio for a server with a command");
        }
        String command = expanded(ServerKeys.COMMAND);
        if (isMeant) {
            checkCommand();
        }
        List<String> args =
                server.value(ServerKeys.ARGS).stream().map(this::expand).toList();
        Map<String, String> env = expanded(server.value(ServerKeys.ENV));
        for (String name : env.keySet()) {
            if (name.indexOf('=') >= 0) {
                server.at(ServerKeys.ENV).error("has a name with a = in it: " + PrintableText.quoted(name));
            }
        }
        if (!isMeant || command == null) {
            return null;
        }
        String cwd = server.written(ServerKeys.CWD);
        if (surroundings.self().isLaunch(command, args, cwd)) {
            server.at(ServerKeys.COMMAND)
                    .error("starts Fusebox itself, which would start itself again without end; take this server out");
        } else if (SelfReference.isBridge(args, surroundings.ownPort())) {
            server.at(ServerKeys.ARGS)
                    .error("name the address of this gateway itself, by http.port; take this server out, or give"
                            + " \"http\": {\"port\": ...} another value if another program listens there");
        }
        List<String> inherited = server.value(ServerKeys.INHERIT_ENV);
        variableExpansion.inherited(inherited);
        variableExpansion.secrets().named(env);
        variableExpansion.secrets().arguments(args);
        warnOfExposed(args);
        return new ServerEndpoint.Stdio(ChildSpec.of(command, args.toArray(String[]::new))
                .withEnv(env)
                .withInheritEnv(inherited)
                .withCwd(cwd)
                .withLimits(limits)
                .withSecrets(variableExpansion.secrets().redactor()));
    }

    /// No shell reads the command.
    private void checkCommand() {
        Written command = server.written(ServerKeys.COMMAND);
        if (command == null) {
            return;
        }
        String text = command.text().strip();
        if (ADDRESS.matcher(text).matches()) {
            command.location().error("is an address; write it as \"url\" in place of \"command\"");
            return;
        }
        List<String> args =
                server.value(ServerKeys.ARGS).stream().map(Written::text).toList();
        CommandWords.of(text)
                .filter(CommandWords::isNamed)
                .ifPresent(line -> command.location()
                        .error("is a whole command line; the program goes to \"command\" and the rest to \"args\": "
                                + line.members(args)));
    }

    /// Arguments stand in `/proc/PID/cmdline`, which every user of the machine may read; variables do not. Secrets
    /// in plain text are named one by one; a server whose arguments take secrets from variables gets one warning.
    private void warnOfExposed(List<String> args) {
        List<Written> written = server.value(ServerKeys.ARGS);
        boolean isTold = false;
        for (int i = 0; i < args.size(); i++) {
            if (!variableExpansion.secrets().areIn(args.get(i))) {
                continue;
            }
            boolean isPlain = variableExpansion.secrets().areIn(VariableExpansion.withoutReferences(written.get(i)));
            if (isPlain || !isTold) {
                written.get(i).location().warn((isPlain ? PLAIN_SECRET : SHOWN_SECRET) + IN_ENV);
            }
            isTold |= !isPlain;
        }
    }

    /// What is missing leaves its place empty: the server is not used then.
    private String expand(Written written) {
        String text = variableExpansion.expand(written);
        return text == null ? "" : text;
    }

    private Map<String, String> expanded(Map<String, Written> written) {
        Map<String, String> texts = new LinkedHashMap<>();
        written.forEach((name, text) -> texts.put(name, expand(text)));
        return texts;
    }

    /// Null if it is not there, cannot be read, or lacks a variable.
    private @Nullable String expanded(ConfigKey<Written> key) {
        Written written = server.written(key);
        String text = written == null ? null : variableExpansion.expand(written);
        if (written != null && text != null && text.isEmpty()) {
            written.location().error("is empty");
            return null;
        }
        return text;
    }

    private TransportType transportType(TransportType usual, String otherwise) {
        TransportType transportType = server.written(ServerKeys.TYPE);
        if (transportType != null && (transportType == TransportType.STDIO) != (usual == TransportType.STDIO)) {
            server.at(ServerKeys.TYPE).error(otherwise);
        }
        return transportType == null ? usual : transportType;
    }

    // ---- Elsewhere

    private @Nullable ServerEndpoint remote(boolean isMeant) {
        TransportType transportType = isMeant
                ? transportType(TransportType.HTTP, "must be http or sse for a server with a url")
                : TransportType.HTTP;
        String url = expanded(ServerKeys.URL);
        Map<String, Written> headers = server.value(ServerKeys.HEADERS);
        Map<String, String> texts = expanded(headers);
        if (!isMeant || url == null) {
            return null;
        }
        HttpTarget bare = target(url);
        if (bare == null) {
            return null;
        }
        headers.forEach((name, written) -> check(bare, name, String.valueOf(texts.get(name)), written.location()));
        OutboundRoute route = route(bare);
        if (server.location().problems().hasErrors()) {
            return null;
        }
        HttpTarget target = bare.withHeaders(texts)
                .by(route)
                .withSecrets(variableExpansion.secrets().redactor());
        return transportType == TransportType.SSE ? new ServerEndpoint.Sse(target) : new ServerEndpoint.Http(target);
    }

    private @Nullable HttpTarget target(String url) {
        SourceLocation location = server.at(ServerKeys.URL);
        try {
            URI uri = new URI(url);
            if (uri.getScheme() != null && LATER.contains(uri.getScheme().toLowerCase(Locale.ROOT))) {
                location.error("is of a scheme that is not supported yet; it must be http or https");
                return null;
            }
            if (SelfReference.isAddress(uri, surroundings.ownPort())) {
                location.error("is the address of this gateway itself, by http.port; take this server out, or give"
                        + " \"http\": {\"port\": ...} another value if another program listens there");
                return null;
            }
            return HttpTarget.of(uri);
        } catch (URISyntaxException wrong) {
            // Its message shows all of the address, and with it its secrets.
            String where = wrong.getIndex() < 0 ? "" : " at character " + (wrong.getIndex() + 1);
            location.error("cannot be used: " + wrong.getReason() + where);
        } catch (IllegalArgumentException unusable) {
            location.error("cannot be used: " + unusable.getMessage());
        }
        return null;
    }

    private static void check(HttpTarget bare, String name, String value, SourceLocation location) {
        try {
            bare.withHeaders(Map.of(name, value));
        } catch (IllegalArgumentException unusable) {
            location.error("cannot be used: " + unusable.getMessage());
        }
    }

    private OutboundRoute route(HttpTarget bare) {
        OutboundRoute route = OutboundRoute.DEFAULT;
        String proxy = server.written(ServerKeys.PROXY);
        if (proxy != null && bare.isHere()) {
            server.at(ServerKeys.PROXY)
                    .error("means nothing: a server on this machine is never reached through a proxy");
        } else if (proxy != null) {
            route = route.through(proxyRules(proxy));
        }
        String ca = server.written(ServerKeys.CA);
        if (ca != null && !"https".equalsIgnoreCase(bare.uri().getScheme())) {
            server.at(ServerKeys.CA).error("means nothing: the url is not https");
        } else if (ca != null) {
            route = trusting(route, ca);
        }
        return route;
    }

    private ProxyRules proxyRules(String proxy) {
        try {
            return proxy.equals("none") ? ProxyRules.NONE : ProxyRules.always(HttpProxy.parse(proxy));
        } catch (IllegalArgumentException unusable) {
            server.at(ServerKeys.PROXY).error("cannot be used: " + unusable.getMessage() + "; none is \"none\"");
            return ProxyRules.NONE;
        }
    }

    private OutboundRoute trusting(OutboundRoute route, String ca) {
        try {
            return route.trusting(TlsTrust.of(surroundings.folder().resolve(ca)));
        } catch (IOException | InvalidPathException unusable) {
            server.at(ServerKeys.CA).error("cannot be used: " + unusable.getMessage());
            return route;
        }
    }
}
