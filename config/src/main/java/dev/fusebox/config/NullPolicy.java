package dev.fusebox.config;

/// How a null is treated for an optional argument whose schema does not allow null.
public enum NullPolicy {
    /// The call is rejected, as the schema requires.
    STRICT,
    /// The argument is omitted if the arguments are then valid.
    LENIENT
}
