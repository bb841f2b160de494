package dev.fusebox.gateway.config;

import dev.fusebox.client.http.HttpTarget;
import dev.fusebox.client.process.ChildSpec;
import dev.fusebox.protocol.JsonFault;
import dev.fusebox.protocol.JsonView;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The one server that a configuration file names: `{"mcpServers": {"NAME": {"command": ..., "args": [...]}}}`, or
/// `{"url": ..., "headers": {...}}` for one over HTTP, with `"type": "sse"` for one of the old transport.
///
/// The whole configuration comes with a later step; what is not known here is refused and not ignored.
///
/// @param name of the server
/// @param server how to reach it
public record ServerFile(String name, Server server) {

    /// How a server is reached.
    public sealed interface Server {
        /// As a process of our own.
        record Stdio(ChildSpec spec) implements Server {}

        /// Over Streamable HTTP.
        record Http(HttpTarget target) implements Server {}

        /// Over HTTP with SSE, as of revision 2024-11-05.
        record Sse(HttpTarget target) implements Server {}
    }

    /// What is wrong with a file, for people.
    public static final class Problem extends Exception {
        private static final long serialVersionUID = 1;

        Problem(String message) {
            super(message);
        }
    }

    /// Reads the file.
    public static ServerFile read(Path file) throws Problem {
        try {
            return parse(Files.readAllBytes(file));
        } catch (IOException unreadable) {
            throw new Problem(file + " cannot be read: " + unreadable.getMessage());
        } catch (JsonFault fault) {
            throw new Problem(file + " is not JSON: " + fault.getMessage());
        } catch (Problem problem) {
            throw new Problem(file + ": " + problem.getMessage());
        }
    }

    static ServerFile parse(byte[] text) throws JsonFault, Problem {
        JsonView servers = JsonView.parse(text).member("mcpServers");
        if (servers == null || !servers.isObject()) {
            throw new Problem("there is no object \"mcpServers\"");
        }
        Map<String, JsonView> named = membersOf(servers);
        if (named.size() != 1) {
            throw new Problem("\"mcpServers\" names " + named.size() + " servers; so far Fusebox serves exactly one");
        }
        Map.Entry<String, JsonView> server = named.entrySet().iterator().next();
        return new ServerFile(server.getKey(), server("/mcpServers/" + server.getKey(), server.getValue()));
    }

    private static Server server(String pointer, JsonView server) throws Problem {
        return server.member("url") == null ? new Server.Stdio(spec(pointer, server)) : remote(pointer, server);
    }

    private static Server remote(String pointer, JsonView server) throws Problem {
        String url = "";
        String type = "http";
        Map<String, String> headers = Map.of();
        for (Map.Entry<String, JsonView> member : membersOf(server).entrySet()) {
            JsonView value = member.getValue();
            String where = pointer + "/" + member.getKey();
            switch (member.getKey()) {
                case "url" -> url = text(where, value);
                case "type" -> type = text(where, value);
                case "headers" -> headers = variables(where, value);
                default -> throw new Problem(where + " is not known yet for a server with a url");
            }
        }
        HttpTarget target = target(pointer, url, headers);
        return switch (type) {
            case "http", "streamable-http" -> new Server.Http(target);
            case "sse" -> new Server.Sse(target);
            default -> throw new Problem(pointer + "/type is \"" + type + "\"; with a url it must be http or sse");
        };
    }

    private static HttpTarget target(String pointer, String url, Map<String, String> headers) throws Problem {
        try {
            return HttpTarget.of(URI.create(url)).withHeaders(headers);
        } catch (IllegalArgumentException unusable) {
            throw new Problem(pointer + " cannot be used: " + unusable.getMessage());
        }
    }

    private static ChildSpec spec(String pointer, JsonView server) throws Problem {
        String command = null;
        List<String> args = List.of();
        Map<String, String> env = Map.of();
        List<String> inheritEnv = List.of();
        String cwd = null;
        for (Map.Entry<String, JsonView> member : membersOf(server).entrySet()) {
            JsonView value = member.getValue();
            String where = pointer + "/" + member.getKey();
            switch (member.getKey()) {
                case "command" -> command = text(where, value);
                case "type" -> checkStdio(where, text(where, value));
                case "args" -> args = texts(where, value);
                case "inheritEnv" -> inheritEnv = texts(where, value);
                case "cwd" -> cwd = text(where, value);
                case "env" -> env = variables(where, value);
                default -> throw new Problem(where + " is not known yet");
            }
        }
        if (command == null) {
            throw new Problem(pointer + " has neither \"command\" nor \"url\"");
        }
        return ChildSpec.of(command, args.toArray(String[]::new))
                .withEnv(env)
                .withInheritEnv(inheritEnv)
                .withCwd(cwd);
    }

    private static void checkStdio(String where, String type) throws Problem {
        if (!type.equals("stdio")) {
            throw new Problem(where + " is \"" + type + "\"; without a url it must be stdio");
        }
    }

    private static Map<String, String> variables(String where, JsonView value) throws Problem {
        Map<String, String> variables = new HashMap<>();
        for (Map.Entry<String, JsonView> member : membersOf(value).entrySet()) {
            variables.put(member.getKey(), text(where + "/" + member.getKey(), member.getValue()));
        }
        return variables;
    }

    private static List<String> texts(String where, JsonView value) throws Problem {
        if (!value.isArray()) {
            throw new Problem(where + " is not a list of strings");
        }
        List<String> texts = new ArrayList<>();
        for (JsonView element : value.elements()) {
            texts.add(text(where, element));
        }
        return texts;
    }

    private static String text(String where, @Nullable JsonView value) throws Problem {
        String text = value == null ? null : value.string();
        if (text == null) {
            throw new Problem(where + " is not a string");
        }
        return text;
    }

    private static Map<String, JsonView> membersOf(JsonView object) throws Problem {
        Map<String, JsonView> members = new HashMap<>();
        List<String> twice = new ArrayList<>();
        object.forEachMember((name, value) -> {
            if (members.put(name, value) != null) {
                twice.add(name);
            }
        });
        if (!twice.isEmpty()) {
            throw new Problem("\"" + twice.getFirst() + "\" stands twice");
        }
        return members;
    }
}
