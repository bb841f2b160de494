package dev.fusebox.gateway.config;

import dev.fusebox.client.process.ChildSpec;
import dev.fusebox.protocol.JsonFault;
import dev.fusebox.protocol.JsonView;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The one server that a configuration file names: `{"mcpServers": {"NAME": {"command": ..., "args": [...]}}}`.
///
/// The whole configuration comes with a later step; what is not known here is refused and not ignored.
///
/// @param name of the server
/// @param spec how to start it
public record ServerFile(String name, ChildSpec spec) {

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
        return new ServerFile(server.getKey(), spec("/mcpServers/" + server.getKey(), server.getValue()));
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
                case "args" -> args = texts(where, value);
                case "inheritEnv" -> inheritEnv = texts(where, value);
                case "cwd" -> cwd = text(where, value);
                case "env" -> env = variables(where, value);
                default -> throw new Problem(where + " is not known yet");
            }
        }
        if (command == null) {
            throw new Problem(pointer + " has no \"command\"");
        }
        return ChildSpec.of(command, args.toArray(String[]::new))
                .withEnv(env)
                .withInheritEnv(inheritEnv)
                .withCwd(cwd);
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
