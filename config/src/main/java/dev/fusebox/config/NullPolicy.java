package dev.fusebox.config;

/// How a null is treated for an optional argument whose schema does not allow null.
public enum NullPolicy {
    /// The call is refused, as the schema says.
    STRICT,
    /// The argument is left out, if the arguments are good then.
    LENIENT
}
