package dev.fusebox.gateway.provision;

import dev.fusebox.protocol.JsonWriter;
import java.util.List;
import java.util.Map;

/// A server configuration that needs no review: it contains only our own text, the trusted package, and names of
/// variables. Immutable.
///
/// @param environment values by name
/// @param inputs names of the variables that it requires
record LaunchConfig(String command, List<String> args, Map<String, String> environment, List<String> inputs) {
    LaunchConfig {
        args = List.copyOf(args);
        environment = Map.copyOf(environment);
        inputs = List.copyOf(inputs);
    }

    /// The form of an entry of `mcpServers`.
    String json() {
        JsonWriter server = new JsonWriter().beginObject().name("command").string(command);
        server.name("args").beginArray();
        args.forEach(server::string);
        server.endArray();
        if (!environment.isEmpty()) {
            server.name("env").beginObject();
            environment.entrySet().stream()
                    .sorted(Map.Entry.comparingByKey())
                    .forEach(each -> server.name(each.getKey()).string(each.getValue()));
            server.endObject();
        }
        return server.endObject().toString();
    }
}
