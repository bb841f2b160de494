package dev.fusebox.gateway.share;

import dev.fusebox.client.process.ChildEnvironment;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The names of the variables that a configuration may need of a client: those that its file names, and those that
/// every process gets. A `*` at the end of a name stands for any further characters. Thread-safe; only [#in]
/// blocks, on the file.
public final class VariableNames {
    /// `${NAME}`, `${env:NAME}` and `${NAME:-default}`; a name in `inheritEnv` is a text of its own.
    private static final Pattern NAMED =
            Pattern.compile("\\$\\{(?:env:)?([A-Za-z_][A-Za-z0-9_]*)|\"([A-Za-z_][A-Za-z0-9_]*)\"");

    private VariableNames() {}

    /// The names in the file, and more than those: words that only look like names do no harm. Blocks on disk
    /// reads.
    public static List<String> in(Path file) {
        TreeSet<String> names = new TreeSet<>(ChildEnvironment.PATTERNS);
        try {
            Matcher matcher = NAMED.matcher(Files.readString(file, StandardCharsets.UTF_8));
            while (matcher.find()) {
                names.add(matcher.group(1) == null ? matcher.group(2) : matcher.group(1));
            }
        } catch (IOException unreadable) {
            // The reading of the configuration says what is wrong with it.
        }
        return List.copyOf(names);
    }

    /// The variables with these names.
    public static Map<String, String> select(Collection<String> names, Map<String, String> variables) {
        Map<String, String> selected = new HashMap<>();
        variables.forEach((name, value) -> {
            if (isNamed(names, name)) {
                selected.put(name, value);
            }
        });
        return selected;
    }

    static boolean isNamed(Collection<String> names, String name) {
        return names.contains(name)
                || names.stream()
                        .anyMatch(each -> each.endsWith("*") && name.startsWith(each.substring(0, each.length() - 1)));
    }
}
