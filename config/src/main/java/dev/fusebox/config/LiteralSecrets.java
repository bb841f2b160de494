package dev.fusebox.config;

import dev.fusebox.config.SecretPatterns.Span;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The plain-text secrets in the entry of one server, and the entry with variables in their place. Searches
/// `command`, `args`, `env`, `url`, `headers` and `oauth`, in which variables are expanded. Not thread-safe;
/// nothing blocks.
public final class LiteralSecrets {
    /// The scheme of an `Authorization` header is not secret.
    private static final Pattern SCHEME = Pattern.compile("(?i)((?:bearer|basic|token|apikey|key)\\s+)(.*)");

    /// A header as an argument; after an option for headers it needs no blank.
    private static final Pattern FIELD = Pattern.compile("(?s)(?<name>[A-Za-z0-9_-]+): (?<value>.*)");

    private static final Pattern TIGHT_FIELD = Pattern.compile("(?s)(?<name>[A-Za-z0-9_-]+):\\s*(?<value>.*)");
    private static final Pattern HEADER_OPTION = Pattern.compile("(?i)-{0,2}headers?|-H");

    private static final Pattern PARAMETER = Pattern.compile("[?&]([A-Za-z0-9_.-]+)=([^&#\\s]+)");
    private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    private final String server;
    private final Map<String, String> variables;
    private final List<Literal> literals = new ArrayList<>();
    private final String replaced;
    private final String masked;

    /// A secret in plain text.
    ///
    /// @param place where it is, for people: `env TOKEN`
    /// @param variable that can replace it
    public record Literal(String place, String variable) {}

    private LiteralSecrets(String server, JsonView entry, Map<String, String> variables) {
        this.server = server;
        this.variables = variables;
        this.replaced = rewritten(entry, variable -> "${" + variable + "}");
        List<Literal> found = List.copyOf(literals);
        this.masked = rewritten(entry, variable -> "***");
        literals.clear();
        literals.addAll(found);
    }

    /// Searches the entry of one server.
    ///
    /// @param server its name
    /// @param variables by name, with the secrets that they replace; found secrets are added
    public static LiteralSecrets in(String server, JsonView entry, Map<String, String> variables) {
        return new LiteralSecrets(server, entry, variables);
    }

    /// Whether the entry of any of these servers contains a plain-text secret.
    ///
    /// @param servers by name; null if there are none
    public static boolean areIn(@Nullable JsonView servers) {
        var found = new AtomicBoolean();
        if (servers != null && servers.isObject()) {
            servers.forEachMember((name, entry) -> {
                if (entry.isObject()
                        && !in(name, entry, new HashMap<>()).literals().isEmpty()) {
                    found.set(true);
                }
            });
        }
        return found.get();
    }

    public List<Literal> literals() {
        return List.copyOf(literals);
    }

    /// The entry with a variable in the place of each, as JSON.
    public String replaced() {
        return replaced;
    }

    /// The entry with three stars in the place of each, as JSON.
    public String masked() {
        return masked;
    }

    // ---- The entry

    private String rewritten(JsonView entry, UnaryOperator<String> with) {
        JsonWriter json = new JsonWriter().beginObject();
        entry.forEachMember((key, value) -> {
            json.name(key);
            switch (key) {
                case "command", "url" -> text(value, json, text -> inText(key, text, with));
                case "args" -> arguments(value, json, with);
                case "env" -> members(value, json, (name, text) -> environment(name, text, with));
                case "oauth" -> members(value, json, (name, text) -> named("oauth " + name, name, text, with));
                case "headers" -> members(value, json, (name, text) -> header(name, text, with));
                default -> json.raw(value);
            }
        });
        return json.endObject().toString();
    }

    private static void text(JsonView value, JsonWriter into, UnaryOperator<String> change) {
        String text = value.string();
        if (text == null) {
            into.raw(value);
        } else {
            into.string(change.apply(text));
        }
    }

    private interface Change {
        String of(String name, String text);
    }

    private static void members(JsonView object, JsonWriter into, Change change) {
        if (!object.isObject()) {
            into.raw(object);
            return;
        }
        into.beginObject();
        object.forEachMember((name, value) -> text(value, into.name(name), text -> change.of(name, text)));
        into.endObject();
    }

    /// A value that contains a secret is replaced by one variable as a whole.
    private String environment(String name, String text, UnaryOperator<String> with) {
        boolean isSecret = SecretPatterns.isSecret(name, text)
                || !SecretPatterns.spans(text).isEmpty()
                || parameters(text).anyMatch(found -> SecretPatterns.isSecret(found.group(1), found.group(2)));
        return isSecret ? with.apply(noted("env " + name, variable("env " + name, name), text)) : text;
    }

    /// An option may be followed by its value.
    private void arguments(JsonView args, JsonWriter into, UnaryOperator<String> with) {
        if (!args.isArray()) {
            into.raw(args);
            return;
        }
        into.beginArray();
        String[] option = {""};
        for (JsonView arg : args.elements()) {
            String before = option[0];
            text(arg, into, text -> argument(before, text, with));
            String text = arg.string();
            option[0] = text != null && text.startsWith("-") && !text.contains("=") ? text : "";
        }
        into.endArray();
    }

    private String argument(String option, String text, UnaryOperator<String> with) {
        Matcher assigned = ServerSecrets.ASSIGNMENT.matcher(text);
        if (assigned.matches()) {
            String name = assigned.group(1);
            return text.substring(0, assigned.start(2)) + value(name, assigned.group(2), with);
        }
        boolean isValue = !option.isEmpty() && !text.startsWith("-");
        if (isValue) {
            return value(option, text, with);
        }
        Matcher field = FIELD.matcher(text);
        return field.matches() && isSecret(field) ? field(field, with) : inText("args", text, with);
    }

    /// What follows an option. One that is a header has a name of its own: `--header "Authorization: Bearer x"`,
    /// as several bridges take it.
    private String value(String option, String text, UnaryOperator<String> with) {
        Matcher field = (HEADER_OPTION.matcher(option).matches() ? TIGHT_FIELD : FIELD).matcher(text);
        return field.matches() && (field.pattern() == TIGHT_FIELD || isSecret(field))
                ? field(field, with)
                : named("argument " + option, plain(option), text, with);
    }

    private static boolean isSecret(Matcher field) {
        return SecretPatterns.isSecret(field.group("name"), field.group("value"));
    }

    private String field(Matcher field, UnaryOperator<String> with) {
        String value = field.group("value");
        return field.group().substring(0, field.start("value")) + header(field.group("name"), value, with);
    }

    private static String plain(String option) {
        return option.replaceFirst("^-+", "");
    }

    private String header(String name, String text, UnaryOperator<String> with) {
        Matcher scheme = SCHEME.matcher(text);
        return scheme.matches()
                ? scheme.group(1) + named("header " + name, name, scheme.group(2), with)
                : named("header " + name, name, text, with);
    }

    // ---- One text

    private String named(String place, String name, String text, UnaryOperator<String> with) {
        return SecretPatterns.isSecret(name, text)
                ? with.apply(noted(place, variable(place, name), text))
                : inText(place, text, with);
    }

    private String inText(String place, String text, UnaryOperator<String> with) {
        String plain = withoutParameters(place, text, with);
        StringBuilder all = new StringBuilder();
        int done = 0;
        for (Span span : SecretPatterns.spans(plain)) {
            String secret = plain.substring(span.from(), span.to());
            all.append(plain, done, span.from())
                    .append(with.apply(noted(place, variable(place, suffix(place)), secret)));
            done = span.to();
        }
        return all.append(plain, done, plain.length()).toString();
    }

    private static String suffix(String place) {
        return place.contains(" ") ? place.substring(place.indexOf(' ') + 1) : "TOKEN";
    }

    private static Stream<MatchResult> parameters(String text) {
        return text.contains("://") ? PARAMETER.matcher(text).results() : Stream.empty();
    }

    /// Of an address.
    private String withoutParameters(String place, String text, UnaryOperator<String> with) {
        if (!text.contains("://")) {
            return text;
        }
        return PARAMETER.matcher(text).replaceAll(found -> {
            String name = found.group(1);
            boolean isSecret = SecretPatterns.isSecret(name, found.group(2));
            String value = isSecret
                    ? with.apply(noted(place + " parameter " + name, variable("", name), found.group(2)))
                    : found.group(2);
            return Matcher.quoteReplacement(found.group().charAt(0) + name + "=" + value);
        });
    }

    // ---- Variables

    private String noted(String place, String variable, String value) {
        String free = variable;
        for (int number = 2; !variables.getOrDefault(free, value).equals(value); number++) {
            String own = prefixed(variable);
            free = number == 2 ? own : own + "_" + number;
        }
        variables.put(free, value);
        literals.add(new Literal(place, free));
        return free;
    }

    /// An environment variable of a server keeps its name.
    private String variable(String place, String name) {
        return place.startsWith("env ") && VARIABLE.matcher(name).matches() ? name : prefixed(upper(name));
    }

    private String prefixed(String name) {
        String begin = upper(server) + "_";
        return name.startsWith(begin) ? name : begin + name;
    }

    private static String upper(String text) {
        String safe = text.replaceFirst("(?i)^x-", "")
                .replaceAll("[^A-Za-z0-9]+", "_")
                .replaceAll("^_+|_+$", "")
                .toUpperCase(Locale.ROOT);
        return safe.isEmpty() || Character.isDigit(safe.charAt(0)) ? "V" + safe : safe;
    }
}
