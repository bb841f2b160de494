package dev.fusebox.config;

import dev.fusebox.config.ProvisionConfig.Trust;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A package at one version that the operator trusts: one text, or an object that also names the variables that it
/// may get. Immutable.
record TrustedPackageType() implements ValueType<Trust> {
    private static final String PACKAGE = "package";
    private static final String ENV = "env";
    private static final Set<String> KEYS = Set.of(PACKAGE, ENV);
    private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    /// The JSON schema, with the pattern of [#VARIABLE].
    private static final String SCHEMA = """
            [{"type":"string","minLength":1},{"type":"object","required":["package"],"additionalProperties":false,\
            "properties":{"package":{"type":"string","minLength":1},\
            "env":{"type":"array","items":{"type":"string","pattern":"^[A-Za-z_][A-Za-z0-9_]*$"}}}}]""";

    private static final ValueType<String> RELEASE =
            new ValidatedValueType<>(new Text(), TrustedPackageType::against, "package at a version");
    private static final ValueType<List<String>> NAMES = ListType.of(new ValidatedValueType<>(
            new Text(),
            name -> VARIABLE.matcher(name).matches() ? null : "is not a name of a variable such as API_TOKEN",
            "names of variables"));

    @Override
    public @Nullable Trust read(JsonView value, SourceLocation location) {
        if (!value.isObject()) {
            String text = RELEASE.read(value, location);
            return text == null ? null : trust(text, List.of());
        }
        Map<String, JsonMember> members = JsonMember.of(value, location);
        if (members == null || !areKnown(members)) {
            return null;
        }
        JsonMember named = members.get(PACKAGE);
        if (named == null) {
            location.error("has no \"" + PACKAGE + "\"");
            return null;
        }
        JsonMember env = members.get(ENV);
        String text = RELEASE.read(named.value(), named.location());
        List<String> names = env == null ? List.of() : NAMES.read(env.value(), env.location());
        return text == null || names == null ? null : trust(text, names);
    }

    private static boolean areKnown(Map<String, JsonMember> members) {
        members.forEach((name, member) -> {
            if (!KEYS.contains(name)) {
                member.nameLocation().error("is an unknown key", SpellingSuggestion.nearest(name, KEYS));
            }
        });
        return KEYS.containsAll(members.keySet());
    }

    private static @Nullable Trust trust(String text, List<String> names) {
        return PackageRelease.parse(text)
                .map(release -> new Trust(release, Set.copyOf(names)))
                .orElse(null);
    }

    private static @Nullable String against(String text) {
        if (PackageRelease.parse(text).isPresent()) {
            return null;
        }
        boolean isOpen = text.toLowerCase(Locale.ROOT).endsWith("@latest") || text.lastIndexOf('@') <= 0;
        return "is not a package at one version; write name@1.2.3, pypi:name@1.2.3 or oci:image@sha256:..."
                + (isOpen ? ", because other text would allow any later version" : "");
    }

    @Override
    public String words() {
        return "package at a version, or object: package, env";
    }

    @Override
    public void describe(JsonWriter schema) {
        schema.name("anyOf").raw(SCHEMA);
    }
}
