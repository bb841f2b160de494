package dev.fusebox.gateway.config;

import dev.fusebox.client.http.HttpTarget;
import dev.fusebox.client.http.Proxies;
import dev.fusebox.client.http.Proxy;
import dev.fusebox.client.http.Route;
import dev.fusebox.client.http.Trust;
import dev.fusebox.client.process.ChildLimits;
import dev.fusebox.client.process.ChildSpec;
import dev.fusebox.gateway.config.Kind.Template.Written;
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
/// @param expansion of its texts
/// @param limits what a process is held to
/// @param surroundings what the file does not hold
record ReachReader(Section server, Expansion expansion, ChildLimits limits, ServerReader.Surroundings surroundings) {
    private static final Set<String> LATER = Set.of("unix", "tcp", "ws", "wss");

    private static final Pattern ADDRESS = Pattern.compile("(?i)https?://\\S+");

    private static final String PLAIN_SECRET =
            "holds a secret in plain text, and every user of this machine can read it with `ps`;";
    private static final String SHOWN_SECRET =
            "gets a secret from a variable, and every user of this machine can read it with `ps`;";
    private static final String IN_ENV = " hand it over in \"env\" if the server takes it there";

    /// Null if that cannot be told: something is wrong, and the section was told, or a variable is missing.
    @Nullable
    Reach read() {
        boolean hasCommand = server.has(ServerKeys.COMMAND);
        boolean hasUrl = server.has(ServerKeys.URL);
        if (hasCommand && hasUrl) {
            server.at(ServerKeys.URL)
                    .error("stands beside \"command\": a server is a process or somewhere else; take one of them out");
        } else if (hasUrl) {
            refuse(Key.Use.PROCESS, "means nothing for a server with a url");
        } else if (hasCommand) {
            refuse(Key.Use.URL, "means nothing for a server with a command");
        } else if (server.isUnderstood()) {
            server.spot().error("has neither \"command\" nor \"url\"");
        }
        Reach asProcess = stdio(hasCommand && !hasUrl);
        Reach byUrl = remote(hasUrl && !hasCommand);
        return asProcess == null ? byUrl : asProcess;
    }

    private void refuse(Key.Use use, String why) {
        for (Key<?> key : ServerKeys.ALL) {
            if (key.use() == use && server.has(key)) {
                server.at(key).error(why);
            }
        }
    }

    // ---- Processes

    /// All its texts are looked at even if it is none, so that every missing variable is named.
    private @Nullable Reach stdio(boolean isMeant) {
        if (isMeant) {
            wire(Wire.STDIO, "must be stdio for a server with a command");
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
                server.at(ServerKeys.ENV).error("has a name with a = in it: " + Visible.quoted(name));
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
        expansion.inherited(inherited);
        expansion.secrets().named(env);
        expansion.secrets().arguments(args);
        warnOfExposed(args);
        return new Reach.Stdio(ChildSpec.of(command, args.toArray(String[]::new))
                .withEnv(env)
                .withInheritEnv(inherited)
                .withCwd(cwd)
                .withLimits(limits)
                .withSecrets(expansion.secrets().redactor()));
    }

    /// No shell reads the command.
    private void checkCommand() {
        Written command = server.written(ServerKeys.COMMAND);
        if (command == null) {
            return;
        }
        String text = command.text().strip();
        if (ADDRESS.matcher(text).matches()) {
            command.spot().error("is an address; write it as \"url\" in place of \"command\"");
            return;
        }
        List<String> args =
                server.value(ServerKeys.ARGS).stream().map(Written::text).toList();
        CommandWords.of(text)
                .filter(CommandWords::isNamed)
                .ifPresent(line -> command.spot()
                        .error("is a whole command line; the program goes to \"command\" and the rest to \"args\": "
                                + line.members(args)));
    }

    /// Arguments stand in `/proc/PID/cmdline`, which every user of the machine may read; variables do not. Secrets in
    /// plain text are named one by one; a server whose arguments take secrets from variables gets one warning.
    private void warnOfExposed(List<String> args) {
        List<Written> written = server.value(ServerKeys.ARGS);
        boolean isTold = false;
        for (int i = 0; i < args.size(); i++) {
            if (!expansion.secrets().areIn(args.get(i))) {
                continue;
            }
            boolean isPlain = expansion.secrets().areIn(Expansion.withoutReferences(written.get(i)));
            if (isPlain || !isTold) {
                written.get(i).spot().warn((isPlain ? PLAIN_SECRET : SHOWN_SECRET) + IN_ENV);
            }
            isTold |= !isPlain;
        }
    }

    /// What is missing leaves its place empty: the server is not used then.
    private String expand(Written written) {
        String text = expansion.expand(written);
        return text == null ? "" : text;
    }

    private Map<String, String> expanded(Map<String, Written> written) {
        Map<String, String> texts = new LinkedHashMap<>();
        written.forEach((name, text) -> texts.put(name, expand(text)));
        return texts;
    }

    /// Null if it is not there, cannot be read, or lacks a variable.
    private @Nullable String expanded(Key<Written> key) {
        Written written = server.written(key);
        String text = written == null ? null : expansion.expand(written);
        if (written != null && text != null && text.isEmpty()) {
            written.spot().error("is empty");
            return null;
        }
        return text;
    }

    private Wire wire(Wire usual, String otherwise) {
        Wire wire = server.written(ServerKeys.TYPE);
        if (wire != null && (wire == Wire.STDIO) != (usual == Wire.STDIO)) {
            server.at(ServerKeys.TYPE).error(otherwise);
        }
        return wire == null ? usual : wire;
    }

    // ---- Elsewhere

    private @Nullable Reach remote(boolean isMeant) {
        Wire wire = isMeant ? wire(Wire.HTTP, "must be http or sse for a server with a url") : Wire.HTTP;
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
        headers.forEach((name, written) -> check(bare, name, String.valueOf(texts.get(name)), written.spot()));
        Route route = route(bare);
        if (server.spot().problems().hasErrors()) {
            return null;
        }
        HttpTarget target = bare.withHeaders(texts)
                .by(route)
                .withSecrets(expansion.secrets().redactor());
        return wire == Wire.SSE ? new Reach.Sse(target) : new Reach.Http(target);
    }

    private @Nullable HttpTarget target(String url) {
        Spot spot = server.at(ServerKeys.URL);
        try {
            URI uri = new URI(url);
            if (uri.getScheme() != null && LATER.contains(uri.getScheme().toLowerCase(Locale.ROOT))) {
                spot.error("is of a scheme that is not supported yet; it must be http or https");
                return null;
            }
            if (SelfReference.isAddress(uri, surroundings.ownPort())) {
                spot.error("is the address of this gateway itself, by http.port; take this server out, or give"
                        + " \"http\": {\"port\": ...} another value if another program listens there");
                return null;
            }
            return HttpTarget.of(uri);
        } catch (URISyntaxException wrong) {
            // Its message shows all of the address, and with it its secrets.
            String where = wrong.getIndex() < 0 ? "" : " at character " + (wrong.getIndex() + 1);
            spot.error("cannot be used: " + wrong.getReason() + where);
        } catch (IllegalArgumentException unusable) {
            spot.error("cannot be used: " + unusable.getMessage());
        }
        return null;
    }

    private static void check(HttpTarget bare, String name, String value, Spot spot) {
        try {
            bare.withHeaders(Map.of(name, value));
        } catch (IllegalArgumentException unusable) {
            spot.error("cannot be used: " + unusable.getMessage());
        }
    }

    private Route route(HttpTarget bare) {
        Route route = Route.USUAL;
        String proxy = server.written(ServerKeys.PROXY);
        if (proxy != null && bare.isHere()) {
            server.at(ServerKeys.PROXY)
                    .error("means nothing: a server on this machine is never reached through a proxy");
        } else if (proxy != null) {
            route = route.through(proxies(proxy));
        }
        String ca = server.written(ServerKeys.CA);
        if (ca != null && !"https".equalsIgnoreCase(bare.uri().getScheme())) {
            server.at(ServerKeys.CA).error("means nothing: the url is not https");
        } else if (ca != null) {
            route = trusting(route, ca);
        }
        return route;
    }

    private Proxies proxies(String proxy) {
        try {
            return proxy.equals("none") ? Proxies.NONE : Proxies.always(Proxy.parse(proxy));
        } catch (IllegalArgumentException unusable) {
            server.at(ServerKeys.PROXY).error("cannot be used: " + unusable.getMessage() + "; none is \"none\"");
            return Proxies.NONE;
        }
    }

    private Route trusting(Route route, String ca) {
        try {
            return route.trusting(Trust.of(surroundings.folder().resolve(ca)));
        } catch (IOException | InvalidPathException unusable) {
            server.at(ServerKeys.CA).error("cannot be used: " + unusable.getMessage());
            return route;
        }
    }
}
