package dev.fusebox.gateway.tools;

import dev.fusebox.client.CallFailure;
import dev.fusebox.protocol.JsonView;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Parser of the arguments of a gateway tool, which collects all errors in order to report them at once. An
/// invalid argument is treated as absent. For one thread.
public final class ToolArguments {
    private static final String DIGITS = "[0-9]{1,15}";

    /// So many leading letters distinguish all argument names of our tools.
    private static final int COMMON_PREFIX = 3;

    private final JsonView object;
    private final List<String> complaints = new ArrayList<>();

    private ToolArguments(JsonView object) {
        this.object = object;
    }

    /// Parses the arguments of a call.
    ///
    /// @param known the names of all supported arguments
    public static ToolArguments of(GatewayToolCall call, Set<String> known) {
        ToolArguments arguments = new ToolArguments(call.arguments());
        if (!call.arguments().isObject()) {
            arguments.complaints.add("the arguments must be an object");
        }
        call.arguments().forEachMember((name, value) -> {
            if (!known.contains(name)) {
                arguments.complaints.add("unknown argument \"" + name + "\"" + guess(name, known));
            }
        });
        return arguments;
    }

    /// Models use names such as `tool_name` of other gateways, whose tools have similar names.
    private static String guess(String name, Set<String> known) {
        return known.stream()
                .filter(ours -> name.regionMatches(true, 0, ours, 0, COMMON_PREFIX))
                .findFirst()
                .map(ours -> " (did you mean \"" + ours + "\"?)")
                .orElse("");
    }

    /// A value of any type; null if it is absent.
    private @Nullable JsonView value(String name) {
        JsonView value = object.member(name);
        return value == null || value.isNull() ? null : value;
    }

    /// An optional string.
    public @Nullable String text(String name) {
        JsonView value = value(name);
        if (value != null && !value.isString()) {
            complaints.add(name + " must be a string");
        }
        return value == null ? null : value.string();
    }

    /// Whether an argument is absent or a blank string.
    public boolean lacks(String name) {
        JsonView value = value(name);
        String text = value == null ? "" : value.string();
        return text != null && text.isBlank();
    }

    /// A required string; if it is absent, records an error and returns an empty one.
    public String required(String name) {
        String text = text(name);
        if (text == null || text.isBlank()) {
            complaints.add(name + " is missing");
            return "";
        }
        return text;
    }

    /// JSON of an object under either of two names, the second of which models know from elsewhere; an empty
    /// object if it is absent.
    public String objectUnder(String name, String other) {
        if (value(other) == null) {
            return object(name);
        }
        if (value(name) != null) {
            complaints.add(name + " and " + other + " are aliases; give only one of them");
        }
        return object(other);
    }

    /// JSON of an object; an empty one if it is absent.
    public String object(String name) {
        JsonView value = value(name);
        if (value != null && !value.isObject()) {
            complaints.add(name + " must be an object, not a string or a list");
        }
        return value == null || !value.isObject() ? "{}" : value.json();
    }

    /// A whole number of at least 1; null if it is absent.
    public @Nullable Long number(String name, long most) {
        JsonView value = value(name);
        if (value == null) {
            return null;
        }
        long number = value.json().matches(DIGITS) ? Long.parseLong(value.json()) : 0;
        if (number < 1 || number > most) {
            complaints.add(name + " must be a whole number from 1 to " + most);
            return null;
        }
        return number;
    }

    /// A boolean; false if it is absent.
    public boolean flag(String name) {
        JsonView value = value(name);
        if (value != null && !value.isTrue() && !value.json().equals("false")) {
            complaints.add(name + " must be true or false");
        }
        return value != null && value.isTrue();
    }

    /// One of the given words; null if it is absent.
    public @Nullable String choice(String name, List<String> words) {
        String text = text(name);
        if (text != null && !words.contains(text)) {
            complaints.add(name + " must be one of " + String.join(", ", words));
            return null;
        }
        return text;
    }

    /// All errors together with the schema, so that the next call can be correct; empty if there are none.
    public Optional<CallFailure> failure(GatewayTool tool) {
        if (complaints.isEmpty()) {
            return Optional.empty();
        }
        JsonView schema = Objects.requireNonNull(JsonView.of(tool.definition()).member("inputSchema"));
        String message = "invalid arguments for " + tool.name() + ": " + String.join("; ", complaints);
        return Optional.of(CallFailure.wrongArguments(message, schema.json()));
    }
}
