package dev.fusebox.gateway.config;

import dev.fusebox.gateway.arguments.NullPolicy;
import java.util.List;

/// The keys of `arguments`.
final class ArgumentKeys {
    static final ConfigKey<NullPolicy> NULLS = ConfigKey.of(
            "nulls",
            ValueType.Choice.of(NullPolicy.values(), NullPolicy::word),
            "\"lenient\"",
            "What becomes of a `null` for an optional argument whose schema does not allow `null`: with `lenient` the"
                    + " argument is left out if the call is good then, with `strict` the call is refused.");

    static final List<ConfigKey<?>> ALL = List.of(NULLS);

    private ArgumentKeys() {}
}
