package dev.fusebox.cli;

import dev.fusebox.config.LiteralSecrets;
import dev.fusebox.config.edit.JsonEditor;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The commands and URLs of a configuration file, as written: variables are not expanded, and secrets are masked.
/// Immutable.
///
/// @param settings keys that configure the gateway
/// @param secretProgram the program that stores secrets, and its arguments; empty for none
record LaunchList(List<Launch> launches, List<String> settings, List<String> secretProgram) {
    private static final Set<String> SERVERS = Set.of("mcpServers", "servers");
    private static final Set<String> SHOWN =
            Set.of("command", "args", "url", "env", "inheritEnv", "headers", "headersHelper", "cwd");

    /// Words that need no quotes in any shell.
    private static final Pattern PLAIN_WORD = Pattern.compile("[A-Za-z0-9_./:@%+=,~-]+");

    private static final int NAME_WIDTH = 14;

    /// One server.
    ///
    /// @param words its command line or URL
    /// @param cwd its working directory; null for the directory of the file
    /// @param headersHelper the program that prints its headers, and its arguments; empty for none
    /// @param others keys whose values are not shown
    record Launch(
            String name,
            List<String> words,
            @Nullable String cwd,
            List<String> env,
            List<String> headers,
            List<String> headersHelper,
            List<String> others) {
        private Stream<String> lines() {
            String line = words.stream().map(LaunchList::quoted).collect(Collectors.joining(" "));
            String gap = " ".repeat(Math.max(1, NAME_WIDTH - name.length()));
            return Stream.of(
                            Stream.of(name + gap + line),
                            Stream.ofNullable(cwd).map(folder -> "in folder " + quoted(folder)),
                            listed("env", env),
                            listed("headers", headers),
                            command("headers from", headersHelper),
                            listed("also sets", others))
                    .flatMap(lines -> lines)
                    .map(each -> each.startsWith(name + gap) ? each : " ".repeat(NAME_WIDTH) + each);
        }

        private void write(JsonWriter json) {
            json.beginObject().name("name").string(name).name("launch");
            list(words, json);
            json.name("cwd").string(cwd).name("env");
            list(env, json);
            json.name("headers");
            list(headers, json);
            json.name("headersHelper");
            list(headersHelper, json);
            json.name("others");
            list(others, json);
            json.endObject();
        }
    }

    static LaunchList of(JsonEditor text) {
        List<Launch> launches = new ArrayList<>();
        List<String> settings = new ArrayList<>();
        text.root().forEachMember((key, value) -> {
            if (SERVERS.contains(key)) {
                value.forEachMember((name, server) -> launches.add(launch(name, server)));
            } else {
                settings.add(key);
            }
        });
        return new LaunchList(launches, settings, masked(text.at(List.of("credentials", "command"))));
    }

    private static Launch launch(String name, JsonView server) {
        JsonView masked =
                JsonView.of(LiteralSecrets.in(name, server, new HashMap<>()).masked());
        List<String> words = new ArrayList<>();
        Stream.of("command", "url").map(masked::string).forEach(word -> {
            if (word != null) {
                words.add(word);
            }
        });
        words.addAll(texts(masked.member("args")));
        List<String> env = new ArrayList<>(names(server.member("env")));
        env.addAll(texts(server.member("inheritEnv")));
        List<String> others =
                names(server).stream().filter(key -> !SHOWN.contains(key)).toList();
        return new Launch(
                name,
                words,
                server.string("cwd"),
                env,
                names(server.member("headers")),
                masked(server.member("headersHelper")),
                others);
    }

    /// A program, or a list of a program and its arguments.
    private static List<String> masked(@Nullable JsonView program) {
        if (program == null) {
            return List.of();
        }
        String word = program.string();
        if (word != null) {
            return List.of(word);
        }
        JsonView entry = JsonView.of("{\"args\":" + program.json() + "}");
        return texts(JsonView.of(LiteralSecrets.in("", entry, new HashMap<>()).masked())
                .member("args"));
    }

    private static List<String> texts(@Nullable JsonView array) {
        return array == null || !array.isArray()
                ? List.of()
                : array.elements().stream()
                        .map(each -> String.valueOf(each.string()))
                        .toList();
    }

    private static List<String> names(@Nullable JsonView object) {
        List<String> names = new ArrayList<>();
        if (object != null && object.isObject()) {
            object.forEachMember((name, value) -> names.add(name));
        }
        return names;
    }

    private static String quoted(String word) {
        return PLAIN_WORD.matcher(word).matches() ? word : JsonWriter.quoted(word);
    }

    private static Stream<String> listed(String what, List<String> names) {
        return names.isEmpty() ? Stream.empty() : Stream.of(what + " " + String.join(", ", names));
    }

    private static Stream<String> command(String what, List<String> words) {
        String line = words.stream().map(LaunchList::quoted).collect(Collectors.joining(" "));
        return words.isEmpty() ? Stream.empty() : Stream.of(what + " " + line);
    }

    private static void list(List<String> texts, JsonWriter json) {
        json.beginArray();
        texts.forEach(json::string);
        json.endArray();
    }

    Stream<String> lines() {
        Stream<String> servers =
                launches.isEmpty() ? Stream.of("no servers") : launches.stream().flatMap(Launch::lines);
        return Stream.of(
                        servers,
                        listed("The file also sets", settings),
                        command("Secrets are stored by", secretProgram))
                .flatMap(lines -> lines);
    }

    void write(JsonWriter json) {
        json.name("servers").beginArray();
        launches.forEach(launch -> launch.write(json));
        json.endArray().name("settings");
        list(settings, json);
        json.name("secretProgram");
        list(secretProgram, json);
    }
}
