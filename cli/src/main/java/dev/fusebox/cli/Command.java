package dev.fusebox.cli;

import java.util.List;

/// One word after `./fusebox`.
///
/// @param purpose its line in the help; empty for what programs call and people do not
/// @param action what it does
record Command(String name, String purpose, Action action) {

    static Command hidden(String name, Action action) {
        return new Command(name, "", action);
    }

    boolean isHidden() {
        return purpose.isEmpty();
    }

    /// What a command does with the words after its name. May block for as long as the command runs.
    @FunctionalInterface
    interface Action {
        ExitStatus run(List<String> arguments, CommandOutput output);
    }
}
