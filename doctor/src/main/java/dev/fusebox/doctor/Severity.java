package dev.fusebox.doctor;

import java.util.Locale;

/// The severity of a finding.
public enum Severity {
    /// No problem.
    OK,
    /// Usable, with a possible mistake.
    WARN,
    /// Not usable.
    FAIL;

    /// The external spelling, for example `fail`.
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
