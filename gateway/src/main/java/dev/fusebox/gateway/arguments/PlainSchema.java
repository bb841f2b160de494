package dev.fusebox.gateway.arguments;

import dev.fusebox.protocol.JsonView;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A schema as most tools have it: types, properties, lists, words to choose from, simple limits. It accepts arguments
/// and refuses none: what it does not accept is for the library to judge. For most calls the library need not even be
/// loaded then (docs/adr/0063). Immutable.
final class PlainSchema {
    /// Of `$schema`, both of which read these keywords in the same way; without it the second one is meant.
    private static final Set<String> DRAFTS = Set.of(
            "http://json-schema.org/draft-07/schema#",
            "http://json-schema.org/draft-07/schema",
            "https://json-schema.org/draft/2020-12/schema");

    private static final Set<String> TYPES =
            Set.of("string", "number", "integer", "boolean", "object", "array", "null");

    /// Of a number, which is compared as it stands.
    private static final int LONGEST_NUMBER = 40;

    /// What a step in a schema costs.
    private static final int STEP = 10;

    private final Set<String> types = new HashSet<>();
    private final Map<String, PlainSchema> properties = new HashMap<>();
    private final Set<String> required = new HashSet<>();
    private final Set<String> words = new HashSet<>();
    private final Map<String, BigDecimal> limits = new HashMap<>();
    private final List<PlainSchema> alternatives = new ArrayList<>();
    private boolean isClosed;
    private @Nullable PlainSchema others;
    private @Nullable PlainSchema items;

    private PlainSchema() {}

    /// Null if the schema says anything else, or has a mistake in it.
    static @Nullable PlainSchema of(JsonView schema, Budget budget) {
        return of(schema, budget, true);
    }

    private static @Nullable PlainSchema of(JsonView source, Budget budget, boolean isRoot) {
        var schema = new PlainSchema();
        Set<String> read = new HashSet<>();
        boolean[] isPlain = {source.isObject()};
        source.forEachMember((keyword, value) -> {
            budget.spend(STEP);
            isPlain[0] = isPlain[0] && read.add(keyword) && schema.reads(keyword, value, budget, isRoot);
        });
        return isPlain[0] && !(read.contains("enum") && read.contains("const")) ? schema : null;
    }

    private boolean reads(String keyword, JsonView value, Budget budget, boolean isRoot) {
        return switch (keyword) {
                    case "title", "description", "format" -> value.isString();
                    case "default" -> true;
                    case "examples" -> value.isArray();
                    case "$schema" -> isRoot && DRAFTS.contains(String.valueOf(value.string()));
                    case "type" -> value.isString() ? readsWords(List.of(value), types) : readsSome(value, types);
                    case "required" -> value.isArray() && readsWords(value.elements(), required);
                    case "enum" -> readsSome(value, words);
                    case "const" -> readsWords(List.of(value), words);
                    case "properties" -> readsProperties(value, budget);
                    case "additionalProperties" -> readsOthers(value, budget);
                    case "items" -> (items = of(value, budget, false)) != null;
                    case "anyOf" -> readsAlternatives(value, budget);
                    case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum" ->
                        readsLimit(keyword, number(value));
                    case "minLength", "maxLength", "minItems", "maxItems" -> readsLimit(keyword, count(value));
                    default -> false;
                }
                && (!keyword.equals("type") || TYPES.containsAll(types));
    }

    private static boolean readsSome(JsonView list, Set<String> into) {
        List<JsonView> elements = list.elements();
        return !elements.isEmpty() && readsWords(elements, into);
    }

    private static boolean readsWords(List<JsonView> elements, Set<String> into) {
        for (JsonView element : elements) {
            String word = element.string();
            if (word == null || !into.add(word)) {
                return false;
            }
        }
        return true;
    }

    private boolean readsProperties(JsonView value, Budget budget) {
        boolean[] isPlain = {value.isObject()};
        value.forEachMember((name, schema) -> {
            PlainSchema plain = isPlain[0] ? of(schema, budget, false) : null;
            isPlain[0] = plain != null && properties.put(name, plain) == null;
        });
        return isPlain[0];
    }

    private boolean readsOthers(JsonView value, Budget budget) {
        if (value.isObject()) {
            others = of(value, budget, false);
            return others != null;
        }
        isClosed = value.json().equals("false");
        return isClosed || value.isTrue();
    }

    private boolean readsAlternatives(JsonView value, Budget budget) {
        for (JsonView element : value.elements()) {
            PlainSchema plain = of(element, budget, false);
            if (plain == null) {
                return false;
            }
            alternatives.add(plain);
        }
        return !alternatives.isEmpty();
    }

    private boolean readsLimit(String keyword, @Nullable BigDecimal limit) {
        if (limit != null) {
            limits.put(keyword, limit);
        }
        return limit != null;
    }

    private static @Nullable BigDecimal number(JsonView value) {
        return value.isNumber() && value.length() <= LONGEST_NUMBER ? new BigDecimal(value.json()) : null;
    }

    private static @Nullable BigDecimal count(JsonView value) {
        return isWhole(value) && !value.json().startsWith("-") ? number(value) : null;
    }

    private static boolean isWhole(JsonView value) {
        return value.isNumber() && value.json().chars().allMatch(c -> c == '-' || (c >= '0' && c <= '9'));
    }

    // ---- Judging

    /// Whether the value is certainly what the schema wants.
    boolean accepts(JsonView value, Budget budget) {
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
            return types.contains("number") || (types.contains("integer") && isWhole(value));
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

    private boolean acceptsMembers(JsonView object, Budget budget) {
        Set<String> names = new HashSet<>();
        boolean[] isAccepted = {true};
        object.forEachMember((name, value) ->
                isAccepted[0] = isAccepted[0] && names.add(name) && acceptsMember(name, value, budget));
        return isAccepted[0] && names.containsAll(required);
    }

    private boolean acceptsMember(String name, JsonView value, Budget budget) {
        PlainSchema property = properties.getOrDefault(name, others);
        return property == null ? !isClosed : property.accepts(value, budget);
    }

    private boolean acceptsElements(JsonView array, Budget budget) {
        PlainSchema each = items;
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

    /// @param least what a comparison with the limit must come to
    private boolean isAtLeast(BigDecimal number, String keyword, int least) {
        BigDecimal limit = limits.get(keyword);
        return limit == null || number.compareTo(limit) >= least;
    }

    /// @param most what a comparison with the limit may come to
    private boolean isAtMost(BigDecimal number, String keyword, int most) {
        BigDecimal limit = limits.get(keyword);
        return limit == null || number.compareTo(limit) <= most;
    }
}
