package dev.fusebox.cli;

import java.util.List;

/// A command of `./fusebox`.
///
/// @param purpose its line in the help; empty for internal commands
record Command(String name, String purpose, Action action) {

    static Command hidden(String name, Action action) {
        return new Command(name, "", action);
    }

    boolean isHidden() {
        return purpose.isEmpty();
    }

    /// The implementation of a command. May block for as long as the command runs.
    @FunctionalInterface
    interface Action {
        ExitStatus run(List<String> arguments, CommandOutput output);
    }
}
