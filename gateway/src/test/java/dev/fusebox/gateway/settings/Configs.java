package dev.fusebox.gateway.settings;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.fusebox.config.ConfigFile;
import dev.fusebox.config.Configuration;
import dev.fusebox.config.HostEnvironment;
import dev.fusebox.config.ReadResult;
import dev.fusebox.config.ServerConfig;
import java.nio.file.Path;
import java.util.Map;

/// Reads texts as configuration files.
final class Configs {
    private Configs() {}

    static ReadResult read(String text, Map<String, String> variables) {
        return ConfigFile.read(new HostEnvironment(variables), Path.of("f.json"), text.getBytes(UTF_8));
    }

    static Configuration usable(String text) {
        return usable(read(text, Map.of()));
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
}
