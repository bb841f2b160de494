package dev.fusebox.schema;

import dev.fusebox.protocol.JsonView;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A simple JSON Schema, as most tools have it: types, properties, arrays, `anyOf`, enums of strings and limits.
/// It accepts arguments or leaves them to the validator library, and rejects none, so that most gateways never
/// load the library (docs/adr/0063). Immutable and thread-safe; nothing blocks.
final class SimpleSchema {
    /// Values of `$schema`. Both drafts define the keywords below in the same way; the default is 2020-12.
    private static final Set<String> DRAFTS = Set.of(
            "http://json-schema.org/draft-07/schema#",
            "http://json-schema.org/draft-07/schema",
            "https://json-schema.org/draft/2020-12/schema");

    private static final Set<String> TYPES =
            Set.of("string", "number", "integer", "boolean", "object", "array", "null");

    /// Characters of a number in JSON. Doubles take up to 24; longer numbers are left to the library.
    private static final int MAX_NUMBER = 40;

    /// Characters of an exponent, with its letter. The library takes no number beyond the range of a `double`.
    private static final int MAX_EXPONENT = 3;

    /// The cost of a schema step; see [CheckBudget].
    private static final int STEP = 10;

    // Empty ones are shared: a schema has many parts, and a server may send a large one.
    private Set<String> types = Set.of();
    private Map<String, SimpleSchema> properties = Map.of();
    private Set<String> required = Set.of();
    private Set<String> words = Set.of();
    private Map<String, BigDecimal> limits = Map.of();
    private List<SimpleSchema> alternatives = List.of();
    private boolean isClosed;
    private @Nullable SimpleSchema others;
    private @Nullable SimpleSchema items;

    private SimpleSchema() {}

    /// Null if the schema has other keywords, or is invalid.
    static @Nullable SimpleSchema of(JsonView schema, CheckBudget budget) {
        return of(schema, budget, true);
    }

    private static @Nullable SimpleSchema of(JsonView source, CheckBudget budget, boolean isRoot) {
        var schema = new SimpleSchema();
        Set<String> read = new HashSet<>();
        boolean[] isPlain = {source.isObject()};
        source.forEachMember((keyword, value) -> {
            budget.spend(STEP);
            isPlain[0] = isPlain[0] && read.add(keyword) && schema.reads(keyword, value, budget, isRoot);
        });
        return isPlain[0] && !(read.contains("enum") && read.contains("const")) ? schema : null;
    }

    private boolean reads(String keyword, JsonView value, CheckBudget budget, boolean isRoot) {
        return switch (keyword) {
            case "title", "description", "format" -> value.isString();
            case "default" -> true;
            case "examples" -> value.isArray();
            case "$schema" -> isRoot && DRAFTS.contains(String.valueOf(value.string()));
            case "type" -> readsTypes(value);
            case "required" -> readsRequired(value);
            case "enum" -> readsWords(value.elements());
            case "const" -> readsWords(List.of(value));
            case "properties" -> readsProperties(value, budget);
            case "additionalProperties" -> readsOthers(value, budget);
            case "items" -> (items = of(value, budget, false)) != null;
            case "anyOf" -> readsAlternatives(value, budget);
            case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum" -> readsLimit(keyword, number(value));
            case "minLength", "maxLength", "minItems", "maxItems" -> readsLimit(keyword, count(value));
            default -> false;
        };
    }

    private boolean readsTypes(JsonView value) {
        types = strings(value.isString() ? List.of(value) : value.elements());
        return !types.isEmpty() && TYPES.containsAll(types);
    }

    private boolean readsRequired(JsonView value) {
        List<JsonView> names = value.elements();
        required = strings(names);
        return value.isArray() && required.size() == names.size();
    }

    private boolean readsWords(List<JsonView> values) {
        words = strings(values);
        return !words.isEmpty();
    }

    /// Empty if an element is not a string or appears twice.
    private static Set<String> strings(List<JsonView> elements) {
        Set<String> strings = new HashSet<>();
        for (JsonView element : elements) {
            String string = element.string();
            if (string == null || !strings.add(string)) {
                return Set.of();
            }
        }
        return strings;
    }

    private boolean readsProperties(JsonView value, CheckBudget budget) {
        Map<String, SimpleSchema> read = new HashMap<>();
        boolean[] isPlain = {value.isObject()};
        value.forEachMember((name, schema) -> {
            SimpleSchema plain = isPlain[0] ? of(schema, budget, false) : null;
            isPlain[0] = plain != null && read.put(name, plain) == null;
        });
        properties = read;
        return isPlain[0];
    }

    private boolean readsOthers(JsonView value, CheckBudget budget) {
        if (value.isObject()) {
            others = of(value, budget, false);
            return others != null;
        }
        isClosed = value.json().equals("false");
        return isClosed || value.isTrue();
    }

    private boolean readsAlternatives(JsonView value, CheckBudget budget) {
        List<SimpleSchema> read = new ArrayList<>();
        for (JsonView element : value.elements()) {
            SimpleSchema plain = of(element, budget, false);
            if (plain == null) {
                return false;
            }
            read.add(plain);
        }
        alternatives = read;
        return !read.isEmpty();
    }

    private boolean readsLimit(String keyword, @Nullable BigDecimal limit) {
        if (limit == null) {
            return false;
        }
        limits = limits.isEmpty() ? new HashMap<>() : limits;
        limits.put(keyword, limit);
        return true;
    }

    /// Null if it is not a number, or one that is left to the library.
    private static @Nullable BigDecimal number(JsonView value) {
        return value.isNumber() && isShort(value) ? new BigDecimal(value.json()) : null;
    }

    private static boolean isShort(JsonView value) {
        if (value.length() > MAX_NUMBER) {
            return false;
        }
        String number = value.json();
        int exponent = Math.max(number.indexOf('e'), number.indexOf('E'));
        return exponent < 0 || number.length() - exponent <= MAX_EXPONENT;
    }

    private static @Nullable BigDecimal count(JsonView value) {
        return isWhole(value) && !value.json().startsWith("-") ? number(value) : null;
    }

    private static boolean isWhole(JsonView value) {
        return value.isNumber() && value.json().chars().allMatch(c -> c == '-' || (c >= '0' && c <= '9'));
    }

    // ---- Validation

    /// Whether the value is certainly valid.
    boolean accepts(JsonView value, CheckBudget budget) {
        budget.spend(STEP);
        return isOfType(value)
                && (words.isEmpty() || (value.isString() && words.contains(String.valueOf(value.string()))))
                && (alternatives.isEmpty() || alternatives.stream().anyMatch(one -> one.accepts(value, budget)))
                && (limits.isEmpty() || isWithinLimits(value))
                && (!value.isObject() || acceptsMembers(value, budget))
                && (!value.isArray() || acceptsElements(value, budget));
    }

    private boolean isOfType(JsonView value) {
        if (types.isEmpty()) {
            return true;
        }
        if (value.isNumber()) {
            return (types.contains("number") && isShort(value)) || (types.contains("integer") && isWhole(value));
        }
        return types.contains(typeOf(value));
    }

    private static String typeOf(JsonView value) {
        if (value.isObject()) {
            return "object";
        }
        if (value.isArray()) {
            return "array";
        }
        if (value.isString()) {
            return "string";
        }
        return value.isNull() ? "null" : "boolean";
    }

    private boolean acceptsMembers(JsonView object, CheckBudget budget) {
        Set<String> names = new HashSet<>();
        boolean[] isAccepted = {true};
        object.forEachMember((name, value) ->
                isAccepted[0] = isAccepted[0] && names.add(name) && acceptsMember(name, value, budget));
        return isAccepted[0] && names.containsAll(required);
    }

    private boolean acceptsMember(String name, JsonView value, CheckBudget budget) {
        SimpleSchema property = properties.getOrDefault(name, others);
        return property == null ? !isClosed : property.accepts(value, budget);
    }

    private boolean acceptsElements(JsonView array, CheckBudget budget) {
        SimpleSchema each = items;
        return each == null || array.elements().stream().allMatch(element -> each.accepts(element, budget));
    }

    private boolean isWithinLimits(JsonView value) {
        if (value.isNumber()) {
            BigDecimal number = number(value);
            return number != null
                    && isAtLeast(number, "minimum", 0)
                    && isAtLeast(number, "exclusiveMinimum", 1)
                    && isAtMost(number, "maximum", 0)
                    && isAtMost(number, "exclusiveMaximum", -1);
        }
        String text = value.string();
        if (text != null) {
            BigDecimal length = BigDecimal.valueOf(text.codePointCount(0, text.length()));
            return isAtLeast(length, "minLength", 0) && isAtMost(length, "maxLength", 0);
        }
        BigDecimal size = BigDecimal.valueOf(value.elements().size());
        return !value.isArray() || (isAtLeast(size, "minItems", 0) && isAtMost(size, "maxItems", 0));
    }

    /// @param least the lowest accepted result of comparing the number with the limit
    private boolean isAtLeast(BigDecimal number, String keyword, int least) {
        BigDecimal limit = limits.get(keyword);
        return limit == null || number.compareTo(limit) >= least;
    }

    /// @param most the highest accepted result of comparing the number with the limit
    private boolean isAtMost(BigDecimal number, String keyword, int most) {
        BigDecimal limit = limits.get(keyword);
        return limit == null || number.compareTo(limit) <= most;
    }
}
