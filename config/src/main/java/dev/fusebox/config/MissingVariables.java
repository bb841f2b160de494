package dev.fusebox.config;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/// The variables that a server waits for, and the commands that set them. Immutable.
///
/// @param names as the file has them, such as `TOKEN` or, with what an editor asks its user, `input:token`
public record MissingVariables(List<String> names) {
    public MissingVariables {
        names = List.copyOf(names);
    }

    /// The shell command that sets them for programs that are started later. A name that no shell can set is
    /// replaced by a valid one.
    public String command() {
        return names.stream()
                .map(name -> settable(name) + "=VALUE")
                .distinct()
                .collect(Collectors.joining(" ", "export ", ""));
    }

    /// The remedy, to follow the location of the server in its file.
    public String remedy() {
        String first = "${" + settable(names.getFirst()) + ":-default}";
        return changes() + "`" + command() + "` before Fusebox is started sets " + (names.size() == 1 ? "it" : "them")
                + ", or write " + first + " for a default value";
    }

    /// The changes that the file needs first, followed by a semicolon; empty if there are none.
    public String changes() {
        return names.stream()
                .filter(name -> !name.equals(settable(name)))
                .map(name -> "write ${" + settable(name) + "} in place of ${" + name + "}, which no shell can set; ")
                .collect(Collectors.joining());
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
