package dev.fusebox.client.process;

import dev.fusebox.platform.Platform;
import dev.fusebox.platform.Program;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// A factory for programs that the user has configured, such as a helper for credentials. Pure functions;
/// thread-safe.
public final class UserProgram {
    /// What programs need to find their files, the session bus and a display; none of them is a secret.
    private static final Set<String> NAMES = Set.of(
            "PATH",
            "HOME",
            "USER",
            "LOGNAME",
            "SHELL",
            "LANG",
            "TZ",
            "TMPDIR",
            "XDG_RUNTIME_DIR",
            "XDG_CONFIG_HOME",
            "XDG_DATA_HOME",
            "DBUS_SESSION_BUS_ADDRESS",
            "DISPLAY",
            "WAYLAND_DISPLAY");

    private UserProgram() {}

    /// The program with only those variables of the environment that contain no secret.
    ///
    /// @param command the program and its arguments
    public static Program of(Platform platform, List<String> command) {
        return new Program(command.getFirst(), command.subList(1, command.size()), environment(platform), null);
    }

    private static Map<String, String> environment(Platform platform) {
        Map<String, String> variables = new HashMap<>();
        platform.environment().forEach((name, value) -> {
            if (NAMES.contains(name) || name.startsWith("LC_")) {
                variables.put(name, value);
            }
        });
        return variables;
    }
}
