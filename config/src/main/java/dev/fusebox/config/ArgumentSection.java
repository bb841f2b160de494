package dev.fusebox.config;

import dev.fusebox.config.ValueType.Choice;

/// The section `arguments`.
final class ArgumentSection {
    static final SectionType SECTION = new SectionType("arguments");

    static final ConfigKey<NullPolicy> NULLS = SECTION.key(
            "nulls",
            Choice.of(NullPolicy.values()),
            "\"lenient\"",
            "How a `null` is treated for an optional argument whose schema does not allow `null`: with"
                    + " `lenient` the argument is omitted if the call is then valid; with `strict` the call is"
                    + " rejected.");

    private ArgumentSection() {}
}
