package dev.fusebox.config;

import dev.fusebox.platform.FuseboxCommand;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/// The variables and stored secrets that a server waits for, and the commands that set them. Immutable.
///
/// @param names as the file has them, such as `TOKEN`, `secret:token` or, with what an editor asks its user,
/// `input:token`
public record MissingVariables(List<String> names) {
    static final String SECRET = "secret:";

    public MissingVariables {
        names = List.copyOf(names);
    }

    /// The names of the stored secrets among them.
    public List<String> secrets() {
        return names.stream()
                .filter(name -> name.startsWith(SECRET))
                .map(name -> name.substring(SECRET.length()))
                .toList();
    }

    /// The others.
    private List<String> variables() {
        return names.stream().filter(name -> !name.startsWith(SECRET)).toList();
    }

    /// What the server needs, to follow the word "needs".
    public String needs() {
        return both(
                all("variables that are not set: ", variables()),
                all("secrets that are not stored: ", secrets()),
                " and ");
    }

    /// What is missing, as a sentence.
    public String problem() {
        return both(
                counted("a variable is not set: ", "variables are not set: ", variables()),
                counted("a secret is not stored: ", "secrets are not stored: ", secrets()),
                "; ");
    }

    /// The shell command that sets the variables for programs that are started later. A name that no shell can set
    /// is replaced by a valid one.
    private String export() {
        return variables().stream()
                .map(name -> settable(name) + "=VALUE")
                .distinct()
                .collect(Collectors.joining(" ", "export ", ""));
    }

    /// The remedy, to follow the location of the server in its file.
    public String remedy() {
        if (variables().isEmpty()) {
            return stores();
        }
        String first = "${" + settable(variables().getFirst()) + ":-default}";
        String set = changes() + "`" + export() + "` before Fusebox is started sets "
                + (variables().size() == 1 ? "it" : "them") + ", or write " + first + " for a default value";
        return both(set, stores(), "; ");
    }

    /// The remedy for a gateway that is running.
    public String remedyAtRuntime() {
        String set = variables().isEmpty()
                ? ""
                : changes() + "`" + export() + "` sets them where Fusebox is started; a gateway reads variables at"
                        + " startup, so restart the client or the program that started it";
        String read = secrets().isEmpty()
                ? ""
                : stores() + "; a gateway reads secrets when it starts and when its configuration file changes";
        return both(set, read, "; ");
    }

    private String stores() {
        return secrets().stream()
                .map(name -> "`" + FuseboxCommand.onFile("secret", "set", name) + "` stores it")
                .collect(Collectors.joining(", "));
    }

    /// The changes that the file needs first, followed by a semicolon; empty if there are none.
    private String changes() {
        return variables().stream()
                .filter(name -> !name.equals(settable(name)))
                .map(name -> "write ${" + settable(name) + "} in place of ${" + name + "}, which no shell can set; ")
                .collect(Collectors.joining());
    }

    private static String all(String words, List<String> some) {
        return some.isEmpty() ? "" : words + String.join(", ", some);
    }

    private static String counted(String one, String several, List<String> some) {
        return all(some.size() == 1 ? one : several, some);
    }

    private static String both(String one, String other, String between) {
        List<String> parts = new ArrayList<>(List.of(one, other));
        parts.removeIf(String::isEmpty);
        return String.join(between, parts);
    }

    private static String settable(String name) {
        if (name.matches("[A-Za-z_][A-Za-z0-9_]*")) {
            return name;
        }
        String plain = name.substring(name.lastIndexOf(':') + 1)
                .toUpperCase(Locale.ROOT)
                .replaceAll("[^A-Z0-9]", "_");
        return plain.matches("[A-Z_].*") ? plain : "_" + plain;
    }
}
