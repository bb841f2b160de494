package dev.fusebox.gateway.provision;

import dev.fusebox.platform.FuseboxCommand;
import java.util.List;
import java.util.stream.Collectors;

/// Quoting of command lines for a shell. Pure functions.
final class ShellWords {
    private ShellWords() {}

    /// One line from which a shell passes each word unchanged.
    static String joined(List<String> words) {
        return words.stream().map(FuseboxCommand::quoted).collect(Collectors.joining(" "));
    }
}
