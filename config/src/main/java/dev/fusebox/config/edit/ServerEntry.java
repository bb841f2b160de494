package dev.fusebox.config.edit;

import dev.fusebox.protocol.JsonView;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/// The entry of a server in the words of our configuration, as something to compare. Immutable, thread-safe; nothing
/// blocks.
///
/// @param json an object
public record ServerEntry(JsonView json) {
    /// Members that must be equal in entries of the same server. Timeouts and breaker settings may differ.
    private static final List<String> COMPARED =
            List.of("command", "args", "env", "cwd", "url", "headers", "tools", "disabled");

    private static final Set<String> NOTHING = Set.of("", "[]", "{}", "false", "null");
    private static final Set<String> RUNNERS = Set.of("npx", "bunx", "pnpx", "uvx", "pipx");

    /// Two words that run a package.
    private static final Set<String> ACTIONS = Set.of("exec", "dlx", "x", "run", "tool", "bun");

    private static final Set<String> MANAGERS = Set.of("npm", "pnpm", "yarn", "bun", "uv");
    private static final Set<String> CONTAINERS = Set.of("docker", "podman");

    /// Options of the programs above that are followed by a value.
    private static final Set<String> VALUED =
            Set.of(("-e --env -v --volume --mount -p --publish --name --network --user -u"
                            + " -w --workdir --env-file --entrypoint --platform -m --memory --python --with")
                    .split(" "));

    /// Options of the programs above whose value is the package.
    private static final Set<String> NAMING = Set.of("--package", "--from", "--spec");

    public static ServerEntry of(String json) {
        return new ServerEntry(JsonView.of(json));
    }

    /// Whether both reach the same server in the same way, and let it do the same.
    public boolean isSame(ServerEntry other) {
        return compared().equals(other.compared());
    }

    private Map<String, String> compared() {
        Map<String, String> compared = new TreeMap<>();
        for (String name : COMPARED) {
            JsonView value = json.member(name);
            String text = value == null ? "" : ordered(value);
            if (!NOTHING.contains(text)) {
                compared.put(name, text);
            }
        }
        return compared;
    }

    /// Without space, and members in an order of their own.
    private static String ordered(JsonView value) {
        if (!value.isObject()) {
            return value.isArray()
                    ? value.elements().stream()
                            .map(ServerEntry::ordered)
                            .toList()
                            .toString()
                    : value.json();
        }
        Map<String, String> members = new TreeMap<>();
        value.forEachMember((name, member) -> members.put(name, ordered(member)));
        return members.toString();
    }

    /// What the server is made of, and what it is given: entries of which all that is equal do the same.
    ///
    /// @param name without a version: a package, an image or an address
    /// @param given its arguments, variables, headers and folder
    public record Launch(String name, String given) {}

    /// What the server is made of and given; empty if its command line does not say.
    public Optional<Launch> launch() {
        String url = json.string("url");
        if (url != null) {
            String name = url.replaceFirst("[?#].*", "");
            return Optional.of(new Launch(name, url.substring(name.length()) + given()));
        }
        String command = json.string("command");
        JsonView args = json.member("args");
        if (command == null || args == null || !args.isArray()) {
            return Optional.empty();
        }
        String program = command.substring(command.lastIndexOf('/') + 1);
        List<String> words = args.elements().stream()
                .map(JsonView::string)
                .filter(Objects::nonNull)
                .toList();
        return named(program, words).map(name -> new Launch(withoutVersion(name), arguments(words, name) + given()));
    }

    /// What follows the package.
    private static List<String> arguments(List<String> words, String name) {
        return words.stream().dropWhile(word -> !word.endsWith(name)).skip(1).toList();
    }

    private String given() {
        Map<String, String> compared = compared();
        compared.keySet().retainAll(Set.of("env", "headers", "cwd"));
        return compared.toString();
    }

    private static Optional<String> named(String program, List<String> words) {
        if (CONTAINERS.contains(program)) {
            boolean isRun = !words.isEmpty() && words.getFirst().equals("run");
            return isRun ? first(words.subList(1, words.size())) : Optional.empty();
        }
        if (MANAGERS.contains(program)) {
            List<String> rest = words.stream().dropWhile(ACTIONS::contains).toList();
            return rest.size() == words.size() ? Optional.empty() : first(rest);
        }
        boolean isRunner = RUNNERS.contains(program);
        return isRunner ? first(words.stream().dropWhile(ACTIONS::contains).toList()) : Optional.empty();
    }

    /// The first word that is neither an option nor the value of one, unless an option names the package.
    private static Optional<String> first(List<String> words) {
        String before = "";
        for (String word : words) {
            if (NAMING.contains(before)) {
                return Optional.of(word);
            }
            Optional<String> joined = NAMING.stream()
                    .filter(option -> word.startsWith(option + "="))
                    .map(option -> word.substring(option.length() + 1))
                    .findFirst();
            if (joined.isPresent()) {
                return joined;
            }
            boolean isValue = VALUED.contains(before);
            if (!isValue && !word.startsWith("-")) {
                return Optional.of(word);
            }
            before = isValue ? "" : word;
        }
        return Optional.empty();
    }

    private static String withoutVersion(String name) {
        return Stream.of("@", "==", ":")
                .mapToInt(mark -> name.indexOf(mark, Math.max(1, name.lastIndexOf('/'))))
                .filter(at -> at > 0)
                .boxed()
                .min(Integer::compare)
                .map(at -> name.substring(0, at))
                .orElse(name);
    }
}
