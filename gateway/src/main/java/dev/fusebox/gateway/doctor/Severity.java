package dev.fusebox.gateway.doctor;

import java.util.Locale;

/// How bad a finding is.
public enum Severity {
    /// As it should be.
    OK,
    /// It works, and may not be what was meant.
    WARN,
    /// It cannot be used like that.
    FAIL;

    /// The spelling outside: `fail`.
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
