package dev.fusebox.gateway.doctor;

import dev.fusebox.client.CallFailure;
import dev.fusebox.config.ServerEndpoint;
import dev.fusebox.config.ServerState;
import dev.fusebox.gateway.errors.ErrorId;
import dev.fusebox.platform.FuseboxCommand;
import java.net.URI;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Says what mends a server: a command, or a place in the file and what to do there. Thread-safe; pure but for the
/// patient.
final class Remedies {
    private final DiagnosedServer server;
    private final String command;

    /// @param command the file that is started; empty if the server is no process
    Remedies(DiagnosedServer server, String command) {
        this.server = server;
        this.command = command;
    }

    String of(ErrorId errorId, CallFailure failure) {
        return target() == null ? ofProcess(errorId, failure) : ofUrl(errorId);
    }

    private ServerEndpoint.@Nullable Remote target() {
        return server.server().state() instanceof ServerState.Ready(ServerEndpoint endpoint)
                ? endpoint.address()
                : null;
    }

    // ---- Processes

    private String ofProcess(ErrorId errorId, CallFailure failure) {
        return switch (errorId) {
            case COMMAND_NOT_EXECUTABLE -> "`chmod +x " + FuseboxCommand.quoted(command) + "` makes it executable";
            case INTERPRETER_MISSING ->
                "`head -1 " + FuseboxCommand.quoted(command)
                        + "` shows its interpreter: install it, or name another one in \"command\" at "
                        + place("command");
            case FOLDER_MISSING -> place("cwd") + ": correct \"cwd\"";
            case GATEWAY_SHORT, OVERLOADED ->
                "`ulimit -n; ulimit -u` shows the limits of open files and processes: raise what is used up";
            case SERVER_EXITED -> exited(failure);
            case SERVER_KILLED ->
                "SIGKILL".equals(failure.evidence().signal())
                        ? "`dmesg | grep -i 'out of memory'` shows whether memory was short; else find what sent it"
                        : byHand("");
            case OUTPUT_CLOSED, INPUT_CLOSED ->
                place("args") + ": start it in the foreground, as a server over standard input and output";
            case HANDSHAKE_SILENT -> silent();
            case HANDSHAKE_REFUSED -> place("era") + ": update the server, or set \"era\" to what it speaks";
            default -> byHand("");
        };
    }

    private String silent() {
        String runner = PackageRunner.of(server.server());
        return runner == null
                ? byHand(" and see what it waits for; if it only needs longer, raise \"connectTimeoutMs\"")
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
            case 126 -> place("args") + ": make what it is to run executable (chmod +x)";
            case 127 -> place("args") + ": install what it is to run, or give its whole path";
            case null, default -> byHand(isSilent ? "" : "; its last lines above say why");
        };
    }

    private String byHand(String rest) {
        return place("command") + ": run it by hand in a shell with `" + commandLine() + "`" + rest;
    }

    // ---- Servers elsewhere

    private String ofUrl(ErrorId errorId) {
        return switch (errorId) {
            case NAME_NOT_FOUND ->
                place("url") + ": correct the host of \"url\"; `getent hosts " + host() + "` does the same lookup";
            case NAME_SERVICE_SILENT ->
                "`getent hosts " + host() + "` does the same lookup: restore the network or its name servers";
            case CONNECTION_REFUSED ->
                place("url") + ": start the server there, or correct the port of \"url\" (" + origin() + ")";
            case NETWORK_UNREACHABLE -> "`ip route get " + host() + "` shows the same: restore the network";
            case CONNECT_TIMEOUT ->
                place("url") + ": correct the address of \"url\", open the firewall, or raise \"tcpConnectTimeoutMs\"";
            case CERTIFICATE_EXPIRED ->
                "renew the certificate of " + origin() + "; `date` shows whether this machine's clock is right";
            case CERTIFICATE_UNTRUSTED ->
                place("ca") + ": set \"ca\" to a PEM file with the authority that signed for " + origin();
            case CERTIFICATE_OF_ANOTHER -> place("url") + ": use the host name that its certificate names in \"url\"";
            case TLS_FAILED -> place("url") + ": write http:// if the server speaks no TLS";
            case NOT_HTTP ->
                place("url") + ": correct scheme and port of \"url\": another protocol than HTTP is spoken there";
            case HANDSHAKE_SILENT -> place("url") + ": look into the server's own log, or raise \"connectTimeoutMs\"";
            case HANDSHAKE_REFUSED -> place("era") + ": update the server, or set \"era\" to what it speaks";
            case CONNECTION_LOST -> "look into the log of the server at " + origin() + ": it ended the connection";
            default -> ofStatus(errorId);
        };
    }

    private String ofStatus(ErrorId errorId) {
        return switch (errorId) {
            case HTTP_401 -> credentials();
            case HTTP_403 ->
                "give the account behind the credentials at " + place("headers") + " access to " + origin();
            case HTTP_404, WEB_PAGE, NO_MESSAGE ->
                place("url") + ": correct the path of \"url\", which is now " + path()
                        + "; the server's documentation names it";
            case HTTP_405 ->
                place("type") + ": correct the path of \"url\", or set \"type\": \"sse\" for a server of 2024-11-05";
            case HTTP_406 -> place("headers") + ": take Accept out of \"headers\", and correct the path of \"url\"";
            case HTTP_429 -> "wait for the time that it names, or have the limit of the account raised";
            case HTTP_5XX -> "look into the log of the server at " + origin() + "; it failed by itself";
            case HTTP_REDIRECT -> place("url") + ": put the address that it points to into \"url\"";
            default -> place("url") + ": compare \"url\" with the server's documentation";
        };
    }

    private String credentials() {
        ServerEndpoint.Remote target = target();
        boolean sends = target != null
                && target.headers().keySet().stream()
                        .anyMatch(name -> name.toLowerCase(Locale.ROOT).equals("authorization"));
        return sends
                ? place("headers", "Authorization") + ": renew the credentials, which it does not accept"
                : place("headers") + ": add \"headers\": {\"Authorization\": \"Bearer ${TOKEN}\"}";
    }

    private String place(String... keys) {
        return server.place(keys);
    }

    private String host() {
        ServerEndpoint.Remote target = target();
        return target == null ? "" : String.valueOf(target.uri().getHost());
    }

    private String path() {
        ServerEndpoint.Remote target = target();
        String path = target == null ? null : target.uri().getRawPath();
        return path == null || path.isEmpty() ? "/" : path;
    }

    /// Without path and query, which may hold secrets.
    private String origin() {
        ServerEndpoint.Remote target = target();
        URI uri = target == null ? URI.create("") : target.uri();
        return uri.getScheme() + "://" + uri.getHost() + (uri.getPort() < 0 ? "" : ":" + uri.getPort());
    }
}
