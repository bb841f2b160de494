package dev.fusebox.peers;

import dev.fusebox.protocol.JsonWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/// Writes files that name one server, `peer`. The gateway reads them, and so do clients. Thread-safe.
final class Configuration {
    private Configuration() {}

    /// A server that is started.
    static Path of(Path folder, List<String> command, Map<String, String> env) {
        return write(folder, peer -> {
            peer.name("command").string(command.getFirst()).name("args").beginArray();
            command.stream().skip(1).forEach(peer::string);
            peer.endArray().name("env").beginObject();
            env.forEach((name, value) -> peer.name(name).string(value));
            peer.endObject();
        });
    }

    /// A server that listens.
    ///
    /// @param more members, such as its type
    static Path of(Path folder, String url, Map<String, String> more) {
        return write(folder, peer -> {
            peer.name("url").string(url);
            more.forEach((name, value) -> peer.name(name).string(value));
        });
    }

    private static Path write(Path folder, Consumer<JsonWriter> members) {
        JsonWriter config = new JsonWriter().beginObject();
        config.name("mcpServers").beginObject().name("peer").beginObject();
        members.accept(config);
        config.endObject().endObject().endObject();
        try {
            return Files.write(Files.createTempFile(folder, "servers-", ".json"), config.bytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
