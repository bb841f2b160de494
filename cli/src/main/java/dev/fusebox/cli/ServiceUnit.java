package dev.fusebox.cli;

import dev.fusebox.platform.Platform;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The file by which the service manager of a system runs the gateway for this user, and the commands that make the
/// manager use it. Immutable.
///
/// @param file where the manager looks for it
/// @param start after the file was written
/// @param stop before the file is deleted
/// @param query whether the service runs
record ServiceUnit(Path file, List<List<String>> start, List<List<String>> stop, List<String> query) {
    private static final String NAME = "fusebox";
    private static final String LABEL = "dev.fusebox.gateway";

    /// The unit of this system; null if it has no manager that is supported.
    static @Nullable ServiceUnit of(Platform platform) {
        String home = platform.environment().getOrDefault("HOME", "");
        if (home.isEmpty()) {
            return null;
        }
        String system = System.getProperty("os.name", "");
        if (system.startsWith("Mac")) {
            return launchd(Path.of(home));
        }
        return system.equals("Linux") ? systemd(platform, Path.of(home)) : null;
    }

    private static ServiceUnit systemd(Platform platform, Path home) {
        String config = platform.environment().getOrDefault("XDG_CONFIG_HOME", "");
        Path folder = (config.isEmpty() ? home.resolve(".config") : Path.of(config)).resolve("systemd/user");
        List<String> systemctl = List.of("systemctl", "--user");
        return new ServiceUnit(
                folder.resolve(NAME + ".service"),
                List.of(with(systemctl, "daemon-reload"), with(systemctl, "enable", "--now", NAME)),
                List.of(with(systemctl, "disable", "--now", NAME)),
                with(systemctl, "is-active", NAME));
    }

    private static ServiceUnit launchd(Path home) {
        Path file = home.resolve("Library/LaunchAgents/" + LABEL + ".plist");
        List<String> launchctl = List.of("launchctl");
        return new ServiceUnit(
                file,
                List.of(with(launchctl, "load", "-w", file.toString())),
                List.of(with(launchctl, "unload", "-w", file.toString())),
                with(launchctl, "list", LABEL));
    }

    private static List<String> with(List<String> program, String... words) {
        List<String> command = new ArrayList<>(program);
        command.addAll(List.of(words));
        return List.copyOf(command);
    }

    /// The content of the file.
    ///
    /// @param command that runs the gateway
    /// @param variables of its environment: the service manager does not set those of a shell
    String text(List<String> command, SortedMap<String, String> variables) {
        return file.toString().endsWith(".plist") ? plist(command, variables) : unit(command, variables);
    }

    /// Child processes have sessions of their own, and the gateway ends them.
    private static String unit(List<String> command, SortedMap<String, String> variables) {
        return """
                # Written by Fusebox; `fusebox service remove` deletes it.
                [Unit]
                Description=Fusebox, a gateway for MCP servers

                [Service]
                %sExecStart=%s
                Restart=on-failure
                RestartSec=2
                KillMode=mixed
                TimeoutStopSec=30

                [Install]
                WantedBy=default.target
                """.formatted(
                        variables.entrySet().stream()
                                .map(each -> "Environment=" + quoted(each.getKey() + "=" + each.getValue()) + "\n")
                                .collect(Collectors.joining()),
                        command.stream().map(ServiceUnit::word).collect(Collectors.joining(" ")));
    }

    /// A word of a command for systemd, which would replace variables in it.
    private static String word(String text) {
        return quoted(text.replace("$", "$$"));
    }

    /// A text for systemd, which would replace specifiers (`%`) in it.
    private static String quoted(String text) {
        return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("%", "%%") + "\"";
    }

    private static String plist(List<String> command, SortedMap<String, String> variables) {
        return """
                <?xml version="1.0" encoding="UTF-8"?>
                <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
                <!-- Written by Fusebox; `fusebox service remove` deletes it. -->
                <plist version="1.0"><dict>
                <key>Label</key><string>%s</string>
                <key>ProgramArguments</key><array>%s</array>
                <key>EnvironmentVariables</key><dict>%s</dict>
                <key>RunAtLoad</key><true/>
                <key>KeepAlive</key><dict><key>SuccessfulExit</key><false/></dict>
                </dict></plist>
                """.formatted(
                        LABEL,
                        command.stream()
                                .map(word -> "<string>" + escaped(word) + "</string>")
                                .collect(Collectors.joining()),
                        variables.entrySet().stream()
                                .map(each -> "<key>" + each.getKey() + "</key><string>" + escaped(each.getValue())
                                        + "</string>")
                                .collect(Collectors.joining()));
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
