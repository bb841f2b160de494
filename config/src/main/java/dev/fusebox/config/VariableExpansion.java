package dev.fusebox.config;

import dev.fusebox.config.ValueType.Template.Written;
import java.io.IOException;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Expands variables and stored secrets in the texts of one server, and collects the names of missing ones. No
/// message contains their values. Not thread-safe; a text with `${secret:NAME}` blocks on the store of secrets.
final class VariableExpansion {
    /// `${NAME}`, `${env:NAME}`, either with `:-default`; `${secret:NAME}`; `${input:NAME}` as VS Code writes it;
    /// `$${` for a plain `${`.
    private static final Pattern REFERENCE =
            Pattern.compile("\\$\\$\\{|\\$\\{(?:input:(?<input>[^}]*)|secret:(?<secret>[^}]*)"
                    + "|(?:env:)?(?<name>[A-Za-z_][A-Za-z0-9_]*)(?::-(?<default>[^}]*))?)}|\\$\\{");

    private final Map<String, String> variables;
    private final FileSecrets stored;
    private final ServerSecrets secrets = new ServerSecrets();
    private final Set<String> missing = new LinkedHashSet<>();
    /// Pointers of the texts that a warning was given for.
    private final Set<String> warned = new HashSet<>();

    VariableExpansion(Map<String, String> variables, FileSecrets stored) {
        this.variables = variables;
        this.stored = stored;
    }

    /// The names of all missing variables so far.
    List<String> missing() {
        return List.copyOf(missing);
    }

    /// Has every value that was expanded into a text.
    ServerSecrets secrets() {
        return secrets;
    }

    /// Records the values of variables that are passed on unchanged.
    void inherited(List<String> names) {
        for (String name : names) {
            String value = variables.get(name);
            if (value != null) {
                secrets.named(name, value);
            }
        }
    }

    /// The part of a text that is in the file itself: its defaults, and no variable.
    static String withoutReferences(Written written) {
        return REFERENCE
                .matcher(written.text())
                .replaceAll(found ->
                        found.group("default") == null ? "" : Matcher.quoteReplacement(found.group("default")));
    }

    /// Null if a variable is missing in it.
    @Nullable
    String expand(Written written) {
        Matcher matcher = REFERENCE.matcher(written.text());
        StringBuilder expanded = new StringBuilder();
        boolean isWhole = true;
        while (matcher.find()) {
            String value = value(matcher, written);
            isWhole &= value != null;
            matcher.appendReplacement(expanded, Matcher.quoteReplacement(value == null ? "" : value));
        }
        matcher.appendTail(expanded);
        return isWhole ? expanded.toString() : null;
    }

    private @Nullable String value(Matcher matcher, Written written) {
        String name = matcher.group("name");
        if (matcher.group().equals("$${")) {
            return "${";
        }
        if (matcher.group("input") != null) {
            missing.add("input:" + matcher.group("input"));
            return null;
        }
        if (matcher.group("secret") != null) {
            return stored(matcher.group("secret"), written.location());
        }
        if (name == null) {
            return plain(written.text().substring(matcher.end()), written.location());
        }
        return valueOf(name, matcher.group("default"), written.location());
    }

    /// @param rest of the text, after the `${`
    private String plain(String rest, SourceLocation location) {
        if (warned.add(location.pointer())) {
            // The name of a variable, were it not for its dots and dashes.
            Matcher odd = Pattern.compile("([A-Za-z_][A-Za-z0-9_.-]*)}").matcher(rest);
            String meant = odd.lookingAt()
                    ? "; no shell can set " + odd.group(1) + ": write ${"
                            + odd.group(1).replaceAll("[.-]", "_") + "}"
                    : "";
            location.warn("contains a ${ that does not start a variable and is left unchanged; write ${NAME} for a"
                    + " variable, and $${ for a literal ${" + meant);
        }
        return "${";
    }

    private @Nullable String stored(String name, SourceLocation location) {
        if (!FileSecrets.NAME.matcher(name).matches()) {
            location.error("refers to the secret " + PrintableText.quoted(name)
                    + "; the name of a secret has 1 to 64 characters from A-Z a-z 0-9 _ . -");
            return null;
        }
        try {
            String value = stored.value(name);
            if (value == null) {
                missing.add(MissingVariables.SECRET + name);
            } else if (value.indexOf('\0') >= 0) {
                location.error("refers to the secret " + name + ", which contains a NUL character");
            } else {
                secrets.secret(value);
            }
            return value;
        } catch (IOException unusable) {
            String message = "refers to the secret " + name + ", which cannot be read: " + unusable.getMessage();
            if (stored.isKeyring()) {
                location.keyringError(message);
            } else {
                location.error(message);
            }
            return null;
        }
    }

    /// A variable with an empty value counts as unset if there is a default, as in a shell.
    private @Nullable String valueOf(String name, @Nullable String otherwise, SourceLocation location) {
        String value = variables.get(name);
        if (otherwise == null) {
            if (value == null) {
                missing.add(name);
            } else {
                secrets.variable(name, value);
            }
            return value;
        }
        if (otherwise.contains("${")) {
            location.error("has a default with a variable in it, for " + name + "; a default must be plain text");
        }
        if (value == null || value.isEmpty()) {
            secrets.named(name, otherwise);
            return otherwise;
        }
        secrets.variable(name, value);
        return value;
    }
}
