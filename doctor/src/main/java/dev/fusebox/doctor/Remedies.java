package dev.fusebox.doctor;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.ErrorId;
import dev.fusebox.config.ServerEndpoint;
import dev.fusebox.config.ServerState;
import dev.fusebox.platform.FuseboxCommand;
import java.net.URI;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Remedies for failures of a server: a command, or a location in the file with the necessary change. Thread-safe;
/// pure functions of the server.
final class Remedies {
    private final DiagnosedServer server;
    private final String command;

    /// @param command the executable file; empty if the server is not a process
    Remedies(DiagnosedServer server, String command) {
        this.server = server;
        this.command = command;
    }

    String of(ErrorId errorId, CallFailure failure) {
        return url() == null ? ofProcess(errorId, failure) : ofUrl(errorId);
    }

    private ServerEndpoint.@Nullable Remote target() {
        return server.server().state() instanceof ServerState.Ready(ServerEndpoint endpoint)
                ? endpoint.address()
                : null;
    }

    /// Null for a process.
    private @Nullable URI url() {
        return server.server().state() instanceof ServerState.Ready(ServerEndpoint endpoint) ? endpoint.url() : null;
    }

    // ---- Processes

    private String ofProcess(ErrorId errorId, CallFailure failure) {
        return switch (errorId) {
            case COMMAND_NOT_EXECUTABLE -> "`chmod +x " + FuseboxCommand.quoted(command) + "` makes it executable";
            case INTERPRETER_MISSING ->
                "`head -1 " + FuseboxCommand.quoted(command)
                        + "` shows its interpreter: install it, or set another one in \"command\" at "
                        + place("command");
            case FOLDER_MISSING -> place("cwd") + ": correct \"cwd\"";
            case GATEWAY_SHORT, OVERLOADED ->
                "`ulimit -n; ulimit -u` shows the limits of open files and processes: raise the exhausted one";
            case SERVER_EXITED -> exited(failure);
            case SERVER_KILLED ->
                "SIGKILL".equals(failure.evidence().signal())
                        ? "`dmesg | grep -i 'out of memory'` shows an out-of-memory kill; otherwise find the sender"
                        : runManually("");
            case OUTPUT_CLOSED, INPUT_CLOSED -> place("args") + ": start it in the foreground, as a stdio server";
            case HANDSHAKE_SILENT -> silent();
            case HANDSHAKE_REFUSED -> place("era") + ": update the server, or set \"era\" to the era that it supports";
            default -> runManually("");
        };
    }

    private String silent() {
        String runner = PackageRunner.of(server.server());
        return runner == null
                ? runManually(" and see what it waits for; if it only needs longer, raise \"connectTimeoutMs\"")
                : "`" + commandLine() + " </dev/null` downloads the server; later starts need no download";
    }

    private String commandLine() {
        return server.server().state() instanceof ServerState.Ready(ServerEndpoint.Stdio spec)
                ? Stream.concat(Stream.of(spec.command()), spec.args().stream())
                        .map(FuseboxCommand::quoted)
                        .collect(Collectors.joining(" "))
                : "";
    }

    private String exited(CallFailure failure) {
        boolean isSilent = failure.evidence().stderrTail().isEmpty()
                && server.capturedStderr().errors().isEmpty();
        return switch (failure.evidence().exitCode()) {
            case 126 -> place("args") + ": make the command that it runs executable (chmod +x)";
            case 127 -> place("args") + ": install the command that it runs, or write its full path";
            case null, default -> runManually(isSilent ? "" : "; its last lines above show the cause");
        };
    }

    private String runManually(String rest) {
        return place("command") + ": run it manually in a shell with `" + commandLine() + "`" + rest;
    }

    // ---- Remote servers

    private String ofUrl(ErrorId errorId) {
        return switch (errorId) {
            case NAME_NOT_FOUND ->
                place("url") + ": correct the host of \"url\"; `getent hosts " + host() + "` reproduces the lookup";
            case NAME_SERVICE_SILENT ->
                "`getent hosts " + host() + "` reproduces the lookup: restore the network or its name servers";
            case CONNECTION_REFUSED ->
                place("url") + ": start the server there, or correct " + (hasHost() ? "the port of " : "") + "\"url\" ("
                        + origin() + ")";
            case NETWORK_UNREACHABLE -> "`ip route get " + host() + "` reproduces the problem: restore the network";
            case CONNECT_TIMEOUT ->
                place("url") + ": correct the address in \"url\", open the firewall, or raise \"tcpConnectTimeoutMs\"";
            case CERTIFICATE_EXPIRED ->
                "renew the certificate of " + origin() + "; `date` shows whether this machine's clock is right";
            case CERTIFICATE_UNTRUSTED ->
                place("ca") + ": set \"ca\" to a PEM file with the certificate authority of " + origin();
            case CERTIFICATE_OF_ANOTHER -> place("url") + ": use a host name from its certificate in \"url\"";
            case TLS_FAILED ->
                place("url") + ": write " + (isWebSocket() ? "ws" : "http") + ":// if the server does not use TLS";
            case NOT_HTTP -> place("url") + ": correct scheme and port of \"url\": the server does not speak HTTP";
            case HANDSHAKE_SILENT -> place("url") + ": read the server's own log, or raise \"connectTimeoutMs\"";
            case HANDSHAKE_REFUSED -> place("era") + ": update the server, or set \"era\" to the era that it supports";
            case CONNECTION_LOST -> "read the log of the server at " + origin() + ", which closed the connection";
            default -> ofStatus(errorId);
        };
    }

    private String ofStatus(ErrorId errorId) {
        return switch (errorId) {
            case HTTP_401 -> credentials();
            case LOGIN_REQUIRED ->
                "`" + FuseboxCommand.onFile("login", server.server().id())
                        + "` logs in, if the server supports that; or " + credentials();
            case HEADERS_HELPER_FAILED ->
                place("headersHelper") + ": run the program of \"headersHelper\" in a terminal, and correct it or what"
                        + " it prints";
            case SCOPE_MISSING ->
                "`" + FuseboxCommand.onFile("login", server.server().id(), "--scope", "SCOPES")
                        + "` asks for the scopes that the message names";
            case ISSUER_DOWN -> "wait until the authorization server answers again; the login is kept";
            case KEYRING_LOCKED ->
                "unlock the keyring of the system, or run the program of credentials.command by hand; the login is"
                        + " kept";
            case HTTP_403 ->
                "give the account behind the credentials at " + place("headers") + " access to " + origin();
            case HTTP_404, WEB_PAGE, NO_MESSAGE ->
                place("url") + ": correct the path of \"url\", which is now " + path()
                        + "; the server's documentation names it";
            case HTTP_405 ->
                isWebSocket()
                        ? place("url") + ": correct the path of \"url\", or write "
                                + (origin().startsWith("wss") ? "https" : "http")
                                + ":// if the server does not use WebSocket"
                        : place("type") + ": correct the path of \"url\", or set \"type\": \"sse\" for a server of"
                                + " 2024-11-05";
            case HTTP_406 -> place("headers") + ": remove Accept from \"headers\", and correct the path of \"url\"";
            case HTTP_429 -> "wait until the reported time, or ask the operator for a higher limit";
            case HTTP_5XX -> "read the log of the server at " + origin() + "; the failure is on its side";
            case HTTP_REDIRECT -> place("url") + ": set \"url\" to the address that it redirects to";
            default -> place("url") + ": compare \"url\" with the server's documentation";
        };
    }

    private String credentials() {
        ServerEndpoint.Remote target = target();
        boolean sends = target != null
                && target.headers().keySet().stream()
                        .anyMatch(name -> name.toLowerCase(Locale.ROOT).equals("authorization"));
        return sends
                ? place("headers", "Authorization") + ": renew the credentials, which the server does not accept"
                : place("headers") + ": add \"headers\": {\"Authorization\": \"Bearer ${TOKEN}\"}";
    }

    private String place(String... keys) {
        return server.place(keys);
    }

    private String host() {
        URI url = url();
        return url == null ? "" : String.valueOf(url.getHost());
    }

    private String path() {
        URI url = url();
        String path = url == null ? null : url.getRawPath();
        return path == null || path.isEmpty() ? "/" : path;
    }

    private boolean hasHost() {
        URI url = url();
        return url != null && url.getHost() != null;
    }

    private boolean isWebSocket() {
        return origin().startsWith("ws");
    }

    /// Without path and query, which may contain secrets; a Unix socket is only a path.
    private String origin() {
        URI url = Objects.requireNonNullElse(url(), URI.create(""));
        return url.getHost() == null
                ? url.toString()
                : url.getScheme() + "://" + url.getHost() + (url.getPort() < 0 ? "" : ":" + url.getPort());
    }
}
