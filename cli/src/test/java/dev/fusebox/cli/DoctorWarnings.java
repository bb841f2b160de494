package dev.fusebox.cli;

import java.util.List;

/// A parser of the output of `doctor`. Stateless.
final class DoctorWarnings {
    private DoctorWarnings() {}

    /// Its warnings, but those about processes that other gateways on this machine have left behind: tests that
    /// run beside this one kill gateways.
    static List<String> warnings(String printed) {
        return printed.lines()
                .filter(line -> line.contains("⚠") && !line.contains("[orphans]"))
                .toList();
    }
}
