package dev.fusebox.cli;

import java.util.List;

/// One word after `./fusebox`: its name, its line in the help, and what it does.
record Command(String name, String purpose, Action action) {

    /// What a command does with the words after its name. May block for as long as the command runs.
    @FunctionalInterface
    interface Action {
        Exit run(List<String> arguments, Screen screen);
    }
}
