package dev.fusebox.gateway.tools;

import dev.fusebox.client.CallFailure;
import dev.fusebox.protocol.JsonView;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Reads what a tool of the gateway's own is called with, and keeps what is wrong with it, so that all of it is
/// told at once. What cannot be read is as if it were left out. For one thread.
public final class ToolArguments {
    private static final String DIGITS = "[0-9]{1,15}";

    /// So many letters at the beginning tell all that our tools take apart.
    private static final int ALIKE = 3;

    private final JsonView object;
    private final List<String> complaints = new ArrayList<>();

    private ToolArguments(JsonView object) {
        this.object = object;
    }

    /// Of an order.
    ///
    /// @param known the names of all that it takes
    public static ToolArguments of(GatewayToolCall call, Set<String> known) {
        ToolArguments arguments = new ToolArguments(call.arguments());
        if (!call.arguments().isObject()) {
            arguments.complaints.add("the arguments are no object");
        }
        call.arguments().forEachMember((name, value) -> {
            if (!known.contains(name)) {
                arguments.complaints.add("there is no argument \"" + name + "\"" + guess(name, known));
            }
        });
        return arguments;
    }

    /// Models know `tool_name` and others from elsewhere, which begin as ours do.
    private static String guess(String name, Set<String> known) {
        return known.stream()
                .filter(ours -> name.regionMatches(true, 0, ours, 0, ALIKE))
                .findFirst()
                .map(ours -> " (did you mean \"" + ours + "\"?)")
                .orElse("");
    }

    /// A value of any kind; null if it is left out.
    private @Nullable JsonView value(String name) {
        JsonView value = object.member(name);
        return value == null || value.isNull() ? null : value;
    }

    /// A text that may be left out.
    public @Nullable String text(String name) {
        JsonView value = value(name);
        if (value != null && !value.isString()) {
            complaints.add(name + " has to be a string");
        }
        return value == null ? null : value.string();
    }

    /// A text that has to be there; an empty one if it is not, which is complained of.
    public String needed(String name) {
        String text = text(name);
        if (text == null || text.isBlank()) {
            complaints.add(name + " is missing");
            return "";
        }
        return text;
    }

    /// JSON of an object that may stand under either of two names, of which the second is what models know from
    /// elsewhere; an empty one if it is left out.
    public String objectUnder(String name, String other) {
        if (value(other) == null) {
            return object(name);
        }
        if (value(name) != null) {
            complaints.add(name + " and " + other + " mean the same; give one of them");
        }
        return object(other);
    }

    /// JSON of an object; an empty one if it is left out.
    public String object(String name) {
        JsonView value = value(name);
        if (value != null && !value.isObject()) {
            complaints.add(name + " has to be an object, not a string or a list");
        }
        return value == null || !value.isObject() ? "{}" : value.json();
    }

    /// A whole number from 1 on; null if it is left out.
    public @Nullable Long number(String name, long most) {
        JsonView value = value(name);
        if (value == null) {
            return null;
        }
        long number = value.json().matches(DIGITS) ? Long.parseLong(value.json()) : 0;
        if (number < 1 || number > most) {
            complaints.add(name + " has to be a whole number from 1 to " + most);
            return null;
        }
        return number;
    }

    /// True if it says so.
    public boolean flag(String name) {
        JsonView value = value(name);
        if (value != null && !value.isTrue() && !value.json().equals("false")) {
            complaints.add(name + " has to be true or false");
        }
        return value != null && value.isTrue();
    }

    /// One of some words; null if it is left out.
    public @Nullable String choice(String name, List<String> words) {
        String text = text(name);
        if (text != null && !words.contains(text)) {
            complaints.add(name + " has to be one of " + String.join(", ", words));
            return null;
        }
        return text;
    }

    /// All that is wrong, together with the schema, so that the next call can be right; nothing if nothing is.
    public Optional<CallFailure> failure(GatewayTool tool) {
        if (complaints.isEmpty()) {
            return Optional.empty();
        }
        JsonView schema = Objects.requireNonNull(JsonView.of(tool.definition()).member("inputSchema"));
        String message = "the arguments of " + tool.name() + " are not what it takes: " + String.join("; ", complaints);
        return Optional.of(CallFailure.wrongArguments(message, schema.json()));
    }
}
