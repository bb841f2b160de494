package dev.fusebox.config.edit;

import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Puts a server as a client writes it into our words. Pure functions, thread-safe; nothing blocks.
///
/// What we have no word for (approvals, what an editor asks its user, working folders of an editor) is left out.
/// What keeps tools from a model is not: an imported server may do no more than before.
public final class ClientEntryTranslator {
    /// OpenCode writes `{env:NAME}` where most write `${NAME}`.
    private static final Pattern BARE_VARIABLE = Pattern.compile("(?<!\\$)\\{env:([A-Za-z_][A-Za-z0-9_]*)}");

    /// And Gemini CLI knows `$NAME` as well.
    private static final Pattern SHORT_VARIABLE = Pattern.compile("\\$([A-Za-z_][A-Za-z0-9_]*)");

    private static final Pattern NUMBER = Pattern.compile("\\d{1,9}(\\.\\d{1,9})?");

    private static final Pattern OF_CLIENTS = Pattern.compile("\\$\\{((input|command|config|promptString):[^}]*"
            + "|(workspaceFolder|workspaceRoot|relativeFile|file|cwd|lineNumber|selectedText)[A-Za-z]*(:[^}]*)?)}");

    /// Of Roo Code, of Cline and Kiro, and of Gemini CLI.
    private static final List<String> APPROVALS = List.of("alwaysAllow", "autoApprove", "trust");

    /// What editors call the home of their user.
    private static final String HOME_OF_EDITORS = "${userHome}";

    private static final double MILLIS_OF_SECOND = 1000;

    private ClientEntryTranslator() {}

    /// What of an entry only its client can fill in: a question to the user, the folder that is open, a file of
    /// variables. Empty if it has nothing of that kind.
    public static Optional<String> clientOnly(JsonView written) {
        if (written.member("envFile") != null) {
            return Optional.of("envFile");
        }
        Matcher found = OF_CLIENTS.matcher(written.json());
        return found.find() ? Optional.of(found.group()) : Optional.empty();
    }

    /// The keys of an entry by which its user has approved of calls without being asked. They are not translated:
    /// the client asks before it calls the gateway, for all servers alike.
    public static List<String> approvals(JsonView written) {
        return APPROVALS.stream()
                .filter(name -> isApproval(written.member(name)))
                .toList();
    }

    private static boolean isApproval(@Nullable JsonView value) {
        return value != null
                && (value.isTrue() || (value.isArray() && !value.elements().isEmpty()));
    }

    /// As JSON; null if it is neither a program nor an address.
    public static @Nullable String of(JsonView written, ClientFile client) {
        JsonView entry = client == ClientFile.GEMINI ? withLongVariables(written) : written;
        JsonView program = entry.member("command");
        String url = first(entry, "url", "serverUrl", "httpUrl", "uri");
        if (program == null && url == null) {
            return null;
        }
        JsonWriter server = new JsonWriter().beginObject();
        if (program != null) {
            program(entry, program, server);
        } else {
            address(entry, client, Objects.requireNonNull(url), server);
        }
        times(entry, client, server);
        tools(entry, server);
        if (isOff(entry)) {
            server.name("disabled").bool(true);
        }
        return server.endObject().toString();
    }

    private static JsonView withLongVariables(JsonView entry) {
        return JsonView.of(SHORT_VARIABLE.matcher(entry.json()).replaceAll(found -> "\\${" + found.group(1) + "}"));
    }

    private static boolean isOff(JsonView entry) {
        JsonView disabled = entry.member("disabled");
        JsonView enabled = entry.member("enabled");
        return (disabled != null && disabled.isTrue())
                || (enabled != null && enabled.json().equals("false"));
    }

    private static void program(JsonView entry, JsonView program, JsonWriter into) {
        // Older files of Zed have an object in the place of the command, OpenCode a list.
        JsonView inner = program.isObject() ? program : entry;
        List<String> words = texts(program.isObject() ? program.member("path") : program);
        into.name("command")
                .string(words.isEmpty() ? "" : words.getFirst())
                .name("args")
                .beginArray();
        Stream.concat(words.stream().skip(1), texts(inner.member("args")).stream())
                .forEach(into::string);
        into.endArray();
        texts("env", Stream.of(inner.member("env"), inner.member("environment")), into);
        String cwd = entry.string("cwd");
        if (cwd != null && !cwd.contains("${")) {
            into.name("cwd").string(cwd);
        }
    }

    private static void address(JsonView entry, ClientFile client, String url, JsonWriter into) {
        into.name("url").string(translated(url));
        boolean isOld = "sse".equals(entry.string("type"))
                || "sse".equals(entry.string("transport"))
                || (client == ClientFile.GEMINI && entry.member("httpUrl") == null && entry.member("type") == null);
        if (isOld) {
            into.name("type").string("sse");
        }
        Map<String, String> headers = new LinkedHashMap<>();
        Stream.of("headers", "http_headers").forEach(name -> headers.putAll(texts(entry, name)));
        texts(entry, "env_http_headers").forEach((name, variable) -> headers.put(name, "${" + variable + "}"));
        String token = entry.string("bearer_token_env_var");
        if (token != null) {
            headers.put("Authorization", "Bearer ${" + token + "}");
        }
        write("headers", headers, into);
    }

    // ---- What is allowed

    /// Of the clients whose unit is known.
    private static void times(JsonView entry, ClientFile client, JsonWriter into) {
        switch (client) {
            case GEMINI -> time(entry.member("timeout"), 1, "timeoutMs", into);
            case CLINE, ROO -> time(entry.member("timeout"), MILLIS_OF_SECOND, "timeoutMs", into);
            case CODEX -> {
                time(entry.member("tool_timeout_sec"), MILLIS_OF_SECOND, "timeoutMs", into);
                time(entry.member("startup_timeout_sec"), MILLIS_OF_SECOND, "connectTimeoutMs", into);
            }
            default -> {}
        }
    }

    private static void time(@Nullable JsonView written, double millis, String name, JsonWriter into) {
        if (written != null && NUMBER.matcher(written.json()).matches()) {
            into.name(name).number(Math.max(1, Math.round(Double.parseDouble(written.json()) * millis)));
        }
    }

    private static void tools(JsonView entry, JsonWriter into) {
        JsonView listed = entry.member("tools");
        List<String> include = Stream.concat(
                        Stream.of("includeTools", "allowedTools", "enabled_tools")
                                .map(entry::member),
                        Stream.of(listed).filter(tools -> tools != null && tools.isArray()))
                .flatMap(tools -> texts(tools).stream())
                .toList();
        List<String> exclude = Stream.of("excludeTools", "disabledTools", "disabled_tools")
                .flatMap(name -> texts(entry.member(name)).stream())
                .toList();
        if (include.isEmpty() && exclude.isEmpty()) {
            return;
        }
        into.name("tools").beginObject();
        list("include", include, into);
        list("exclude", exclude, into);
        into.endObject();
    }

    private static void list(String name, List<String> texts, JsonWriter into) {
        if (!texts.isEmpty()) {
            into.name(name).beginArray();
            texts.forEach(into::string);
            into.endArray();
        }
    }

    // ---- Texts

    private static @Nullable String first(JsonView entry, String... names) {
        return Stream.of(names)
                .map(entry::string)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    private static List<String> texts(@Nullable JsonView value) {
        if (value == null) {
            return List.of();
        }
        return value.isArray()
                ? value.elements().stream().map(ClientEntryTranslator::text).toList()
                : List.of(text(value));
    }

    private static void texts(String name, Stream<@Nullable JsonView> objects, JsonWriter into) {
        Map<String, String> all = new LinkedHashMap<>();
        objects.filter(Objects::nonNull)
                .forEach(object -> object.forEachMember((key, value) -> {
                    if (!value.isNull()) {
                        all.put(key, text(value));
                    }
                }));
        write(name, all, into);
    }

    private static Map<String, String> texts(JsonView entry, String name) {
        Map<String, String> all = new LinkedHashMap<>();
        JsonView object = entry.member(name);
        if (object != null) {
            object.forEachMember((key, value) -> all.put(key, text(value)));
        }
        return all;
    }

    private static void write(String name, Map<String, String> texts, JsonWriter into) {
        if (!texts.isEmpty()) {
            into.name(name).beginObject();
            texts.forEach((key, value) -> into.name(key).string(value));
            into.endObject();
        }
    }

    /// Numbers and flags count as what they look like.
    private static String text(JsonView value) {
        String text = value.string();
        return translated(text == null ? value.json() : text);
    }

    private static String translated(String text) {
        String named = text.replace(HOME_OF_EDITORS, "${HOME}");
        return BARE_VARIABLE.matcher(named).replaceAll(found -> "\\${" + found.group(1) + "}");
    }
}
