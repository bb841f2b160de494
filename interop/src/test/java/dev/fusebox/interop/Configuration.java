package dev.fusebox.interop;

import dev.fusebox.protocol.JsonWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// A writer of configuration files with servers, by default one named `peer`, for the gateway and for clients.
/// Thread-safe.
final class Configuration {
    private Configuration() {}

    /// A stdio server.
    static Path of(Path folder, List<String> command, Map<String, String> env) {
        return of(folder, Map.of("peer", new Served(command, env)));
    }

    /// Stdio servers by name.
    static Path of(Path folder, Map<String, Served> servers) {
        JsonWriter config = new JsonWriter().beginObject();
        config.name("mcpServers").beginObject();
        servers.forEach((name, server) -> started(config.name(name).beginObject(), server));
        return write(folder, config.endObject().endObject());
    }

    /// Stdio servers with a process for each session.
    static Path ofSessions(Path folder, Map<String, Served> servers) {
        JsonWriter config = new JsonWriter().beginObject();
        config.name("mcpServers").beginObject();
        servers.forEach((name, server) ->
                started(config.name(name).beginObject().name("isolation").string("session"), server));
        return write(folder, config.endObject().endObject());
    }

    private static void started(JsonWriter member, Served server) {
        member.name("command").string(server.command().getFirst()).name("args").beginArray();
        server.command().stream().skip(1).forEach(member::string);
        member.endArray().name("env").beginObject();
        server.env().forEach((name, value) -> member.name(name).string(value));
        member.endObject().endObject();
    }

    /// A remote server.
    ///
    /// @param more members, such as its type
    static Path of(Path folder, String url, Map<String, String> more) {
        JsonWriter config = new JsonWriter().beginObject();
        config.name("mcpServers").beginObject().name("peer").beginObject();
        config.name("url").string(url);
        more.forEach((name, value) -> config.name(name).string(value));
        return write(folder, config.endObject().endObject().endObject());
    }

    private static Path write(Path folder, JsonWriter config) {
        try {
            return Files.write(Files.createTempFile(folder, "servers-", ".json"), config.bytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
