package dev.fusebox.cli;

import dev.fusebox.config.ConfigProblem;
import dev.fusebox.config.ReadResult;
import dev.fusebox.config.ServerConfig;
import dev.fusebox.config.ServerEndpoint;
import dev.fusebox.config.ServerState;
import dev.fusebox.protocol.JsonWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The report of `config check`, as text and JSON. Contains no text of the file in which a variable may be
/// expanded. Immutable.
record ConfigReport(Path file, ReadResult readResult) {

    /// The text form: messages, servers and a summary.
    Stream<String> lines() {
        return Stream.of(readResult.lines(), servers().stream().map(server -> line(server, widest())), Stream.of(sum()))
                .flatMap(lines -> lines);
    }

    private List<ServerConfig> servers() {
        return switch (readResult) {
            case ReadResult.Usable usable -> usable.configuration().servers();
            case ReadResult.Refused refused -> List.of();
        };
    }

    private int widest() {
        return servers().stream().mapToInt(server -> server.id().length()).max().orElse(0);
    }

    private static String line(ServerConfig server, int widest) {
        String gap = " ".repeat(widest - server.id().length() + 2);
        return "  " + server.id() + gap
                + switch (server.state()) {
                    case ServerState.Ready(ServerEndpoint endpoint) -> words(endpoint);
                    case ServerState.Replicated(List<String> replicas) ->
                        "configured, with the replicas " + String.join(", ", replicas);
                    case ServerState.Disabled disabled -> "disabled";
                    case ServerState.AwaitingConfig awaiting -> "awaiting configuration";
                    case ServerState.Faulty faulty -> "invalid, not served";
                };
    }

    private static String words(ServerEndpoint endpoint) {
        return switch (endpoint) {
            case ServerEndpoint.Stdio process -> "configured, stdio";
            case ServerEndpoint.Http http -> "configured, Streamable HTTP";
            case ServerEndpoint.Sse sse -> "configured, HTTP with SSE (2024-11-05)";
            case ServerEndpoint.WebSocket webSocket -> "configured, WebSocket";
            case ServerEndpoint.Tcp tcp -> "configured, TCP";
            case ServerEndpoint.Unix unix -> "configured, Unix socket";
        };
    }

    private String sum() {
        int problems = readResult.problems().size();
        int warnings = readResult.warnings().size();
        String tail = warnings == 0 ? "" : ", " + count(warnings, "warning");
        if (problems > 0) {
            return "✗ " + file + ": " + count(problems, "problem") + tail;
        }
        return "✓ " + file + ": " + count(servers().size(), "server") + tail;
    }

    private static String count(int number, String noun) {
        return OutputText.counted(number, noun);
    }

    String json() {
        JsonWriter json = new JsonWriter().beginObject();
        json.name("file").string(file.toString());
        json.name("usable").bool(readResult instanceof ReadResult.Usable);
        write("problems", readResult.problems(), json);
        write("warnings", readResult.warnings(), json);
        json.name("servers").beginArray();
        servers().forEach(server -> write(server, json));
        return json.endArray().endObject().toString();
    }

    private static void write(String name, List<ConfigProblem> problems, JsonWriter json) {
        json.name(name).beginArray();
        for (ConfigProblem problem : problems) {
            json.beginObject().name("file").string(problem.file());
            json.name("line").number(problem.line()).name("column").number(problem.column());
            json.name("pointer").string(problem.pointer()).name("message").string(problem.message());
            json.name("didYouMean").string(problem.guess()).endObject();
        }
        json.endArray();
    }

    private static void write(ServerConfig server, JsonWriter json) {
        json.beginObject().name("name").string(server.name().written());
        json.name("id").string(server.id()).name("state").string(state(server.state()));
        json.name("transport").string(transport(server.state())).name("missing").beginArray();
        if (server.state() instanceof ServerState.AwaitingConfig(List<String> missing)) {
            missing.forEach(json::string);
        }
        json.endArray().endObject();
    }

    private static String state(ServerState state) {
        return switch (state) {
            case ServerState.Ready ready -> "ready";
            case ServerState.Replicated replicated -> "ready";
            case ServerState.Disabled disabled -> "disabled";
            case ServerState.AwaitingConfig awaiting -> "awaiting_user_config";
            case ServerState.Faulty faulty -> "error";
        };
    }

    private static @Nullable String transport(ServerState state) {
        return switch (state) {
            case ServerState.Ready(ServerEndpoint.Stdio process) -> "stdio";
            case ServerState.Ready(ServerEndpoint.Http http) -> "http";
            case ServerState.Ready(ServerEndpoint.Sse sse) -> "sse";
            case ServerState.Ready(ServerEndpoint.WebSocket webSocket) -> "websocket";
            case ServerState.Ready(ServerEndpoint.Tcp tcp) -> "tcp";
            case ServerState.Ready(ServerEndpoint.Unix unix) -> "unix";
            case ServerState.Replicated replicated -> null;
            case ServerState.Disabled disabled -> null;
            case ServerState.AwaitingConfig awaiting -> null;
            case ServerState.Faulty faulty -> null;
        };
    }
}
