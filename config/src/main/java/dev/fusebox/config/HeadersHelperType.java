package dev.fusebox.config;

import dev.fusebox.config.ValueType.Text;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A program, or a list of a program and its arguments. It is not run by a shell. Immutable.
///
/// @param element its program or one of its arguments
record HeadersHelperType(ValueType<String> element) implements ValueType<List<String>> {
    @Override
    public @Nullable List<String> read(JsonView value, SourceLocation location) {
        if (value.isArray()) {
            return arguments().read(value, location);
        }
        if (value.string() == null) {
            location.error("is neither a program nor a list of a program and its arguments");
            return null;
        }
        String program = element.read(value, location);
        if (program == null) {
            return null;
        }
        CommandWords.of(program)
                .filter(CommandWords::isNamed)
                .ifPresent(line ->
                        location.error("is a whole command line, and no shell runs it; write the list " + line.list()));
        return List.of(program);
    }

    private ListType<String> arguments() {
        return new ListType<>(element, 1, Integer.MAX_VALUE);
    }

    @Override
    public String words() {
        return new Text().words() + ", or " + arguments().words();
    }

    @Override
    public void describe(JsonWriter schema) {
        schema.name("anyOf").beginArray().beginObject();
        element.describe(schema);
        schema.endObject().beginObject();
        arguments().describe(schema);
        schema.endObject().endArray();
    }
}
