package dev.fusebox.gateway.share;

import dev.fusebox.client.process.ChildEnvironment;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
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
    /// `${NAME}`, `${env:NAME}` and `${NAME:-default}`; a name in `inheritEnv` is a text of its own. Keys are none.
    private static final Pattern NAMED =
            Pattern.compile("\\$\\{(?:env:)?([A-Za-z_][A-Za-z0-9_]*)|\"([A-Za-z_][A-Za-z0-9_]*)\"(?!\\s*:)");

    /// The settings of Fusebox, and the variables by which keyring programs find the session of a user.
    private static final List<String> OF_GATEWAY =
            List.of("FUSEBOX_*", "XDG_*", "DBUS_SESSION_BUS_ADDRESS", "DISPLAY", "WAYLAND_DISPLAY");

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

    /// The variables with which a shared gateway reads its configuration file: those that the file names now. The
    /// gateway has the environment of the client that has started it, and other clients must not get the value of
    /// that client for a variable that the file names later.
    public static Map<String, String> ofSharedGateway(Path file, Map<String, String> environment) {
        List<String> names = new ArrayList<>(in(file));
        names.addAll(OF_GATEWAY);
        return select(names, environment);
    }

    /// The variables of a gateway with which it reads the file for every client.
    public static Map<String, String> ofGateway(Map<String, String> environment) {
        return select(OF_GATEWAY, environment);
    }

    static boolean isNamed(Collection<String> names, String name) {
        return names.contains(name)
                || names.stream()
                        .anyMatch(each -> each.endsWith("*") && name.startsWith(each.substring(0, each.length() - 1)));
    }
}
