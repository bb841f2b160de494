package dev.fusebox.gateway.arguments;

import java.util.Locale;

/// The treatment of null for an optional argument whose schema does not allow null.
public enum NullPolicy {
    /// The call is rejected, as the schema requires.
    STRICT,
    /// The argument is omitted, if the arguments are valid then.
    LENIENT;

    /// The value in the configuration.
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
