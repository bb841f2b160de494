package dev.fusebox.config;

import dev.fusebox.config.ServerSection.TransportType;
import dev.fusebox.config.ValueType.Template.Written;
import dev.fusebox.protocol.http.HttpProxy;
import dev.fusebox.protocol.http.Origin;
import dev.fusebox.protocol.http.RequestHeaders;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The reader of one server's endpoint. Not thread-safe; may read a file of certificates.
///
/// @param server the section of the server
/// @param variableExpansion expands its texts
/// @param self recognizes Fusebox itself; has the folder that files are resolved against
/// @param ownPort the port that the gateway listens on over HTTP; 0 if it is not known yet
record ServerEndpointReader(
        ConfigSection server, VariableExpansion variableExpansion, SelfReference self, int ownPort) {
    /// The keys of requests, which a server on a plain connection does not get.
    private static final List<ConfigKey<?>> OF_REQUESTS = List.of(
            ServerSection.HEADERS,
            ServerSection.OAUTH,
            ServerSection.HEADERS_HELPER,
            ServerSection.PROXY,
            ServerSection.CA);

    private static final Pattern ADDRESS = Pattern.compile("(?i)((https?|wss?|tcp)://|unix:/)\\S+");

    private static final String PLAIN_SECRET =
            "contains a secret in plain text, which every user of this machine can read with `ps`;";
    private static final String SHOWN_SECRET =
            "contains a secret from a variable, which every user of this machine can read with `ps`;";
    private static final String OWN_ADDRESS = "%s the address of this gateway itself (http.port); remove this server,"
            + " or give \"http\": {\"port\": ...} another value if another program listens there";
    private static final String IN_ENV = " pass it in \"env\" if the server supports that";

    /// Null if an error was reported, or a variable is missing.
    @Nullable
    ServerEndpoint read() {
        boolean hasCommand = server.has(ServerSection.COMMAND);
        boolean hasUrl = server.has(ServerSection.URL);
        if (hasCommand && hasUrl) {
            server.at(ServerSection.URL)
                    .error("cannot be combined with \"command\": a server is either a process or remote; remove"
                            + " one of them");
        } else if (hasUrl) {
            refuse(ConfigKey.AppliesTo.PROCESS, "has no effect for a server with a url");
        } else if (hasCommand) {
            refuse(ConfigKey.AppliesTo.URL, "has no effect for a server with a command");
        } else if (server.isUnderstood()) {
            server.location().error("has neither \"command\" nor \"url\"");
        }
        ServerEndpoint asProcess = stdio(hasCommand && !hasUrl);
        ServerEndpoint byUrl = remote(hasUrl && !hasCommand);
        return asProcess == null ? byUrl : asProcess;
    }

    private void refuse(ConfigKey.AppliesTo appliesTo, String why) {
        for (ConfigKey<?> key : ServerSection.SECTION.keys()) {
            if (key.appliesTo() == appliesTo && server.has(key)) {
                server.at(key).error(why);
            }
        }
    }

    // ---- Processes

    /// All its texts are read even if it is invalid, so that every missing variable is reported.
    private @Nullable ServerEndpoint stdio(boolean isMeant) {
        if (isMeant) {
            checkType(Set.of(TransportType.STDIO), "must be stdio for a server with a command");
        }
        String command = expanded(ServerSection.COMMAND);
        if (isMeant) {
            checkCommand();
        }
        List<String> args =
                server.value(ServerSection.ARGS).stream().map(this::expand).toList();
        Map<String, String> env = expanded(server.value(ServerSection.ENV));
        for (String name : env.keySet()) {
            if (name.indexOf('=') >= 0) {
                server.at(ServerSection.ENV).error("has a name that contains =: " + PrintableText.quoted(name));
            }
        }
        if (!isMeant || command == null) {
            return null;
        }
        String written = server.written(ServerSection.CWD);
        String cwd = ServerSection.CLIENT.equals(written) ? null : written;
        if (self.isLaunch(command, args, cwd)) {
            server.at(ServerSection.COMMAND)
                    .error("starts Fusebox itself, which would cause endless recursion; remove this server");
        } else if (SelfReference.isBridge(args, ownPort)) {
            server.at(ServerSection.ARGS).error(OWN_ADDRESS.formatted("name"));
        }
        List<String> inherited = server.value(ServerSection.INHERIT_ENV);
        variableExpansion.inherited(inherited);
        variableExpansion.secrets().named(env);
        variableExpansion.secrets().arguments(args);
        warnOfExposed(args);
        return new ServerEndpoint.Stdio(
                command, args, env, inherited, cwd, variableExpansion.secrets().values());
    }

    /// The command is not run by a shell.
    private void checkCommand() {
        Written command = server.written(ServerSection.COMMAND);
        if (command == null) {
            return;
        }
        String text = command.text().strip();
        if (ADDRESS.matcher(text).matches()) {
            command.location().error("is a URL; write it as \"url\" instead of \"command\"");
            return;
        }
        List<String> args =
                server.value(ServerSection.ARGS).stream().map(Written::text).toList();
        CommandWords.of(text)
                .filter(CommandWords::isNamed)
                .ifPresent(line -> command.location()
                        .error("is a whole command line; write the program in \"command\" and the rest in \"args\": "
                                + line.members(args)));
    }

    /// Every user of the machine can read arguments in `/proc/PID/cmdline`, but not variables. Secrets
    /// in plain text are named one by one; a server whose arguments take secrets from variables gets one warning.
    private void warnOfExposed(List<String> args) {
        List<Written> written = server.value(ServerSection.ARGS);
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

    /// A missing variable becomes empty text: the server is not used in that case.
    private String expand(Written written) {
        String text = variableExpansion.expand(written);
        return text == null ? "" : text;
    }

    private Map<String, String> expanded(Map<String, Written> written) {
        Map<String, String> texts = new LinkedHashMap<>();
        written.forEach((name, text) -> texts.put(name, expand(text)));
        return texts;
    }

    /// Null if it is absent, cannot be read, or has a missing variable.
    private @Nullable String expanded(ConfigKey<Written> key) {
        Written written = server.written(key);
        String text = written == null ? null : variableExpansion.expand(written);
        if (written != null && text != null && text.isEmpty()) {
            written.location().error("is empty");
            return null;
        }
        return text;
    }

    private void checkType(Set<TransportType> usual, String otherwise) {
        TransportType transportType = server.written(ServerSection.TYPE);
        if (transportType != null && !usual.contains(transportType)) {
            server.at(ServerSection.TYPE).error(otherwise);
        }
    }

    // ---- Elsewhere

    private @Nullable ServerEndpoint remote(boolean isMeant) {
        String url = expanded(ServerSection.URL);
        Map<String, Written> headers = server.value(ServerSection.HEADERS);
        Map<String, String> texts = expanded(headers);
        OAuthConfig oauth = new OAuthReader(server, variableExpansion, self.folder()).read();
        ServerUrl address = isMeant && url != null ? address(url) : null;
        if (isMeant && address == null) {
            checkType(TransportType.OF_URLS, "must be http, sse or websocket for a server with a url");
        }
        if (address == null) {
            return null;
        }
        headers.forEach((name, written) -> check(name, String.valueOf(texts.get(name)), written.location()));
        return switch (address) {
            case ServerUrl.Http(URI uri) -> {
                checkType(
                        Set.of(TransportType.HTTP, TransportType.SSE),
                        "must be http or sse for an http: or https: url; a WebSocket has a ws: or wss: url");
                boolean isSse = server.written(ServerSection.TYPE) == TransportType.SSE;
                ServerEndpoint.Remote remote = remote(uri, texts, oauth);
                yield remote == null ? null : isSse ? new ServerEndpoint.Sse(remote) : new ServerEndpoint.Http(remote);
            }
            case ServerUrl.WebSocket(URI uri) -> {
                checkType(Set.of(TransportType.WEBSOCKET), "must be websocket for a ws: or wss: url, or left out");
                ServerEndpoint.Remote remote = remote(uri, texts, oauth);
                yield remote == null ? null : new ServerEndpoint.WebSocket(remote);
            }
            case ServerUrl.Tcp(URI uri) ->
                isPlain()
                        ? new ServerEndpoint.Tcp(
                                uri, variableExpansion.secrets().values())
                        : null;
            case ServerUrl.Unix(Path path) ->
                isPlain()
                        ? new ServerEndpoint.Unix(
                                path, variableExpansion.secrets().values())
                        : null;
        };
    }

    private ServerEndpoint.@Nullable Remote remote(URI uri, Map<String, String> headers, OAuthConfig oauth) {
        Origin origin = Origin.require(uri);
        ServerEndpoint.Remote remote = new ServerEndpoint.Remote(
                uri,
                headers,
                proxy(origin),
                authorities(origin),
                variableExpansion.secrets().values(),
                oauth,
                server.value(ServerSection.HEADERS_HELPER));
        return server.location().problems().hasErrors() ? null : remote;
    }

    /// Checks the keys of a server on a plain connection.
    private boolean isPlain() {
        checkType(Set.of(), "has no effect for a tcp: or unix: url; remove it");
        for (ConfigKey<?> key : OF_REQUESTS) {
            if (server.has(key)) {
                server.at(key).error("has no effect for a tcp: or unix: url; remove it");
            }
        }
        return !server.location().problems().hasErrors();
    }

    /// Null if the gateway cannot use the address; then an error was reported.
    private @Nullable ServerUrl address(String url) {
        SourceLocation location = server.at(ServerSection.URL);
        try {
            ServerUrl address = ServerUrl.parse(url);
            URI request = switch (address) {
                case ServerUrl.Http(URI uri) -> uri;
                case ServerUrl.WebSocket(URI uri) -> uri;
                case ServerUrl.Tcp(URI uri) -> uri;
                case ServerUrl.Unix _ -> null;
            };
            if (request != null && SelfReference.isAddress(request, ownPort)) {
                location.error(OWN_ADDRESS.formatted("is"));
                return null;
            }
            return address;
        } catch (URISyntaxException wrong) {
            // Its message shows the whole address, which may hold secrets.
            String where = wrong.getIndex() < 0 ? "" : " at character " + (wrong.getIndex() + 1);
            location.error("cannot be used: " + wrong.getReason() + where);
        } catch (IllegalArgumentException unusable) {
            location.error("cannot be used: " + unusable.getMessage());
        }
        return null;
    }

    private static void check(String name, String value, SourceLocation location) {
        try {
            RequestHeaders.check(name, value);
        } catch (IllegalArgumentException unusable) {
            location.error("cannot be used: " + unusable.getMessage());
        }
    }

    private ServerEndpoint.@Nullable Proxy proxy(Origin origin) {
        String proxy = server.written(ServerSection.PROXY);
        if (proxy == null) {
            return null;
        }
        if (origin.isHere()) {
            server.at(ServerSection.PROXY)
                    .error("has no effect: a server on this machine is never reached through a proxy");
            return null;
        }
        try {
            return new ServerEndpoint.Proxy(proxy.equals("none") ? null : HttpProxy.parse(proxy));
        } catch (IllegalArgumentException unusable) {
            server.at(ServerSection.PROXY).error("cannot be used: " + unusable.getMessage() + "; none is \"none\"");
            return null;
        }
    }

    private Set<Certificate> authorities(Origin origin) {
        String ca = server.written(ServerSection.CA);
        if (ca != null && !origin.isSecure()) {
            server.at(ServerSection.CA).error("has no effect: the url is not https or wss");
        } else if (ca != null) {
            try {
                return authorities(self.folder().resolve(ca));
            } catch (IOException | InvalidPathException unusable) {
                server.at(ServerSection.CA).error("cannot be used: " + unusable.getMessage());
            }
        }
        return Set.of();
    }

    private static Set<Certificate> authorities(Path pem) throws IOException {
        try (InputStream in = Files.newInputStream(pem)) {
            Set<Certificate> authorities =
                    Set.copyOf(CertificateFactory.getInstance("X.509").generateCertificates(in));
            if (authorities.isEmpty()) {
                throw new IOException(pem + " contains no certificate");
            }
            return authorities;
        } catch (NoSuchFileException missing) {
            throw new IOException(pem + " does not exist", missing);
        } catch (CertificateException wrong) {
            throw new IOException(pem + " cannot be used as certificates: " + wrong.getMessage(), wrong);
        }
    }
}
