package dev.fusebox.schema;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.Splice;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The removal of invalid nulls from arguments: nulls of optional properties, which an object's `properties`
/// declare and its `required` does not name, at which a check has found a problem. Nested objects are reached by
/// `properties`, `items`, a `$ref` within the schema, and an `anyOf` or `oneOf` that offers null beside one other
/// schema. For one thread and one check.
final class OptionalNulls {
    /// Tools have some dozens of arguments. Each removal walks through the schema.
    private static final int MAX = 100;

    private static final int MAX_DEPTH = 16;
    private static final int MAX_REFERENCES = 8;

    private final JsonView root;
    private final Splice splice;
    private final Set<String> wrong;
    private final Set<String> above = new HashSet<>();
    private boolean isChanged;

    private OptionalNulls(JsonView root, Splice splice, Set<String> wrong) {
        this.root = root;
        this.splice = splice;
        this.wrong = wrong;
        for (String place : wrong) {
            for (int end = place.lastIndexOf('/'); end >= 0; end = place.lastIndexOf('/', end - 1)) {
                above.add(place.substring(0, end));
            }
        }
    }

    /// The arguments without these nulls; null if there are none.
    ///
    /// @param wrong the JSON pointers of the values at which the check has found problems
    static @Nullable JsonView leftOut(JsonView schema, JsonView arguments, Set<String> wrong) {
        if (wrong.size() > MAX) {
            return null;
        }
        var nulls = new OptionalNulls(schema, Splice.of(arguments), wrong);
        nulls.visit(schema, arguments, "", 0);
        return nulls.isChanged ? JsonView.of(new String(nulls.splice.bytes(), UTF_8)) : null;
    }

    private void visit(JsonView schema, JsonView value, String place, int depth) {
        if (depth > MAX_DEPTH || !above.contains(place)) {
            return;
        }
        JsonView meant = meant(schema);
        if (value.isObject()) {
            visitMembers(meant, value, place, depth);
        }
        JsonView items = value.isArray() ? meant.member("items") : null;
        if (items != null && items.isObject()) {
            List<JsonView> elements = value.elements();
            for (int i = 0; i < elements.size(); i++) {
                visit(items, elements.get(i), place + "/" + i, depth + 1);
            }
        }
    }

    private void visitMembers(JsonView schema, JsonView object, String place, int depth) {
        JsonView properties = schema.member("properties");
        if (properties == null || !properties.isObject()) {
            return;
        }
        Set<String> required = texts(schema.member("required"));
        Set<String> names = new HashSet<>();
        List<String> omitted = new ArrayList<>();
        object.forEachMember((name, value) -> {
            if (!names.add(name)) {
                // Duplicate members stay, because only a null may be removed.
                omitted.remove(name);
                return;
            }
            String there = place + "/" + name.replace("~", "~0").replace("/", "~1");
            boolean isWrongNull = value.isNull() && wrong.contains(there);
            JsonView property = isWrongNull || above.contains(there) ? properties.member(name) : null;
            if (property == null || !property.isObject()) {
                return;
            }
            if (!isWrongNull) {
                visit(property, value, there, depth + 1);
            } else if (!required.contains(name)) {
                omitted.add(name);
            }
        });
        if (!omitted.isEmpty()) {
            splice.remove(object, omitted::contains);
            isChanged = true;
        }
    }

    private static Set<String> texts(@Nullable JsonView list) {
        Set<String> texts = new HashSet<>();
        for (JsonView text : list == null || !list.isArray() ? List.<JsonView>of() : list.elements()) {
            if (text.isString()) {
                texts.add(String.valueOf(text.string()));
            }
        }
        return texts;
    }

    // ---- References and alternatives

    private JsonView meant(JsonView schema) {
        JsonView meant = schema;
        for (int i = 0; i < MAX_REFERENCES; i++) {
            JsonView next = next(meant);
            if (next == null) {
                return meant;
            }
            meant = next;
        }
        return meant;
    }

    private @Nullable JsonView next(JsonView schema) {
        if (schema.member("properties") != null) {
            return null;
        }
        String reference = schema.string("$ref");
        if (reference != null) {
            return referred(reference);
        }
        JsonView alternatives = schema.member("anyOf") == null ? schema.member("oneOf") : schema.member("anyOf");
        return alternatives == null || !alternatives.isArray() ? null : onlyOneBesideNull(alternatives.elements());
    }

    private static @Nullable JsonView onlyOneBesideNull(List<JsonView> alternatives) {
        List<JsonView> others = alternatives.stream()
                .filter(each -> each.isObject() && !"null".equals(each.string("type")))
                .toList();
        return others.size() == 1 ? others.getFirst() : null;
    }

    @SuppressWarnings("ReferenceEquality") // the root itself, to which an empty reference points
    private @Nullable JsonView referred(String reference) {
        if (!reference.equals("#") && !reference.startsWith("#/")) {
            return null;
        }
        JsonView there = root;
        for (String name : reference.substring(1).split("/", -1)) {
            JsonView next = name.isEmpty() && there == root
                    ? there
                    : there.member(name.replace("~1", "/").replace("~0", "~"));
            if (next == null || !next.isObject()) {
                return null;
            }
            there = next;
        }
        return there;
    }
}
