package dev.fusebox.config;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Reads texts as configuration files, in an environment of the test's own.
final class Reads {
    static final Map<String, String> ENVIRONMENT = Map.of("TOKEN", "s3cr3t-value", "EMPTY", "", "HOST", "tools.test");

    private Reads() {}

    static ReadResult read(String text) {
        return read(text.getBytes(UTF_8));
    }

    static ReadResult read(byte[] text) {
        return read(text, ENVIRONMENT);
    }

    static ReadResult read(byte[] text, Map<String, String> environment) {
        return new FileReader(new HostEnvironment(environment), Path.of("f.json"), Overrides.NONE).read(text);
    }

    static Configuration usable(String text) {
        return usable(read(text));
    }

    static Configuration usable(ReadResult readResult) {
        return switch (readResult) {
            case ReadResult.Usable usable -> usable.configuration();
            case ReadResult.Refused refused -> throw new AssertionError(refused.problems());
        };
    }

    /// The one server of a file, from its members.
    static ServerConfig server(String members) {
        return usable("{\"mcpServers\":{\"one\":{" + members + "}}}").servers().getFirst();
    }

    /// A file with one good server, and these members beside it.
    static Configuration with(String members) {
        return usable("{\"mcpServers\":{\"one\":{\"command\":\"c\"}}," + members + "}");
    }

    /// All that is said of a file, and what becomes of it.
    static List<String> verdict(String text) {
        ReadResult readResult = read(text);
        return Stream.concat(readResult.lines(), Stream.of(end(readResult))).toList();
    }

    private static String end(ReadResult readResult) {
        return switch (readResult) {
            case ReadResult.Refused refused -> "refused";
            case ReadResult.Usable usable ->
                usable.configuration().servers().stream()
                        .map(server -> server.id() + " " + word(server.state()))
                        .collect(Collectors.joining(", ", "usable: ", ""));
        };
    }

    private static String word(ServerState state) {
        return switch (state) {
            case ServerState.Ready ready -> "ready";
            case ServerState.Replicated replicated -> "is " + replicated.replicas();
            case ServerState.Disabled disabled -> "disabled";
            case ServerState.AwaitingConfig awaiting -> "awaits " + awaiting.missing();
            case ServerState.Faulty faulty -> "faulty";
        };
    }
}
