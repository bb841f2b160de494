package dev.fusebox.protocol;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The arguments of a tool that are repeated in HTTP headers, as its schema requires with `x-mcp-header`
/// (2026-07-28, Streamable HTTP, "Custom Headers from Tool Parameters"). Immutable, thread-safe; never blocks.
public final class ParameterHeaders {
    /// For a tool without such headers.
    public static final ParameterHeaders NONE = new ParameterHeaders(List.of());

    static final String MARK = "x-mcp-header";
    private static final String PREFIX = "Mcp-Param-";
    private static final Set<String> TYPES = Set.of("string", "integer", "boolean");
    /// Schema keywords whose members are names with schemas.
    private static final Set<String> NAMED = Set.of("$defs", "definitions", "patternProperties", "dependentSchemas");
    /// Schema keywords that contain data and no schemas.
    private static final Set<String> DATA = Set.of("default", "const", "enum", "examples");
    /// Longer numbers are not safe integers, and costly to parse.
    private static final int MAX_DIGITS = 32;

    /// Longer than any number that fits in 64 bits, and short enough to be compared quickly.
    private static final int LONGEST_NUMBER = 64;

    private final List<Mirrored> mirrored;

    private record Mirrored(List<String> path, String header) {}

    /// A tool's schema with invalid header marks.
    public static final class Invalid extends Exception {
        private static final long serialVersionUID = 1;

        Invalid(String message) {
            super(message, null, false, false);
        }
    }

    private ParameterHeaders(List<Mirrored> mirrored) {
        this.mirrored = List.copyOf(mirrored);
    }

    /// Reads a schema.
    public static ParameterHeaders of(JsonView schema) throws Invalid {
        Scan scan = new Scan();
        scan.schema(schema, new ArrayList<>(), true);
        if (scan.problem != null) {
            throw new Invalid(scan.problem);
        }
        return new ParameterHeaders(scan.found);
    }

    public boolean isEmpty() {
        return mirrored.isEmpty();
    }

    /// Adds the header name and value of each argument that is present.
    ///
    /// @param fields name, value, name, value
    public void addTo(List<String> fields, JsonView arguments) {
        for (Mirrored each : mirrored) {
            JsonView value = arguments.path(each.path.toArray(String[]::new));
            String text = value == null ? null : text(value);
            if (text != null) {
                fields.add(PREFIX + each.header);
                fields.add(HeaderValueEncoding.encoded(text));
            }
        }
    }

    /// The header text of a value: written by one side, and compared by the other. Null for a value of another
    /// type; it has no header.
    private static @Nullable String text(JsonView value) {
        String string = value.string();
        if (string != null) {
            // A lone surrogate, which JSON can escape, cannot be encoded in a header.
            return string.replaceAll("\\p{Cs}", "\uFFFD");
        }
        String json = value.json();
        if (!value.isNumber()) {
            return json.equals("true") || json.equals("false") ? json : null;
        }
        boolean plain = json.matches("-?[0-9]+") || json.length() > MAX_DIGITS || json.matches(".*[eE].*[0-9]{3,}");
        return plain ? json : new BigDecimal(json).stripTrailingZeros().toPlainString();
    }

    /// The difference between the headers of a call and its arguments, as the end of a sentence; null if they
    /// agree.
    ///
    /// @param headers the values by header name
    public @Nullable String mismatch(Function<String, List<String>> headers, @Nullable JsonView arguments) {
        for (Mirrored each : mirrored) {
            JsonView value = arguments == null ? null : arguments.path(each.path.toArray(String[]::new));
            String problem = problem(headers.apply(PREFIX + each.header), value);
            if (problem != null) {
                return PREFIX + each.header + " " + problem;
            }
        }
        return null;
    }

    private static @Nullable String problem(List<String> found, @Nullable JsonView value) {
        if (value == null || value.isNull()) {
            return found.isEmpty() ? null : "is sent without its argument";
        }
        String text = text(value);
        if (text == null) {
            return found.isEmpty() ? null : "is sent for an argument that headers cannot express";
        }
        if (found.size() != 1) {
            return found.isEmpty() ? "is missing" : "is sent more than once";
        }
        String decoded = HeaderValueEncoding.decoded(found.getFirst());
        boolean isSame =
                text.equals(decoded) || (decoded != null && value.isNumber() && sameNumber(decoded, value.json()));
        return isSame ? null : "does not match the body";
    }

    private static boolean sameNumber(String header, String body) {
        if (header.length() > LONGEST_NUMBER || body.length() > LONGEST_NUMBER) {
            return false;
        }
        try {
            return new BigDecimal(header).compareTo(new BigDecimal(body)) == 0;
        } catch (NumberFormatException notANumber) {
            return false;
        }
    }

    /// A scan of a schema. A mark is valid only on a chain of properties from the root.
    private static final class Scan {
        private final List<Mirrored> found = new ArrayList<>();
        private final Set<String> names = new HashSet<>();
        private @Nullable String problem;

        void schema(JsonView schema, List<String> path, boolean reachable) {
            JsonView mark = schema.member(MARK);
            if (mark != null) {
                mark(schema, mark, reachable ? path : List.of());
            }
            schema.forEachMember((name, value) -> {
                if (name.equals("properties")) {
                    value.forEachMember((property, inner) -> schema(inner, longer(path, property), reachable));
                } else if (NAMED.contains(name)) {
                    value.forEachMember((definition, inner) -> schema(inner, path, false));
                } else if (!DATA.contains(name) && !name.equals(MARK)) {
                    schema(value, path, false);
                    value.elements().forEach(element -> schema(element, path, false));
                }
            });
        }

        private static List<String> longer(List<String> path, String name) {
            List<String> longer = new ArrayList<>(path);
            longer.add(name);
            return longer;
        }

        private void mark(JsonView schema, JsonView mark, List<String> path) {
            String name = mark.string();
            String type = schema.string("type");
            if (path.isEmpty()) {
                problem = MARK + " is not on a property that is reachable by properties alone";
            } else if (name == null || !HeaderValueEncoding.isToken(name)) {
                problem = MARK + " is not a valid header name";
            } else if (type == null || !TYPES.contains(type)) {
                problem = MARK + " is on a type other than string, integer and boolean";
            } else if (!names.add(name.toLowerCase(Locale.ROOT))) {
                problem = MARK + " uses the same header name twice";
            } else {
                found.add(new Mirrored(path, name));
            }
        }
    }
}
