package dev.fusebox.gateway.provision;

import dev.fusebox.platform.FuseboxCommand;
import java.util.List;
import java.util.stream.Collectors;

/// Command lines as they are typed into a shell. Pure functions.
final class ShellWords {
    private ShellWords() {}

    /// All of them on one line; each arrives at the program as it is.
    static String joined(List<String> words) {
        return words.stream().map(FuseboxCommand::quoted).collect(Collectors.joining(" "));
    }
}
