package dev.fusebox.cli;

import java.util.List;
import java.util.stream.Stream;

/// Commands that reset or ignore signals before they start a program. A process inherits ignored signals, and neither a
/// shell nor a JVM may reset them: without this, tests that send signals would fail under `nohup` and in the
/// background.
final class SignalMasks {
    private static final String ENV = "/usr/bin/env";
    private static final String RESET = "--default-signal=HUP,INT,QUIT,TERM";
    private static final boolean CAN_RESET = Tried.succeeds(List.of(ENV, RESET, "true"));

    private SignalMasks() {}

    /// The command, started with the default handling of signals; unchanged where `env` cannot do that (coreutils
    /// 8.31).
    static List<String> reset(List<String> command) {
        return CAN_RESET
                ? Stream.concat(Stream.of(ENV, RESET), command.stream()).toList()
                : command;
    }
}
