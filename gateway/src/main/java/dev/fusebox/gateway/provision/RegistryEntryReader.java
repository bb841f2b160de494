package dev.fusebox.gateway.provision;

import dev.fusebox.gateway.provision.RegistryEntry.Input;
import dev.fusebox.gateway.provision.RegistryEntry.Program;
import dev.fusebox.gateway.provision.RegistryEntry.Remote;
import dev.fusebox.protocol.JsonView;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Parser of registry documents: one `server.json`, a list of them, or the response of a registry to `GET
/// /v0.1/servers`. Entries without a name are skipped. Pure functions.
final class RegistryEntryReader {
    /// Items in one list of an entry; legitimate entries have fewer.
    private static final int MAX = 100;

    private static final int MAX_NAME = 200;
    private static final int MAX_DESCRIPTION = 300;
    private static final String OFFICIAL = "io.modelcontextprotocol.registry/official";

    private RegistryEntryReader() {}

    static List<RegistryEntry> entries(JsonView document) {
        JsonView servers = document.member("servers");
        JsonView list = servers == null ? document : servers;
        List<JsonView> all = list.isArray() ? list.elements() : List.of(list);
        List<RegistryEntry> entries = new ArrayList<>();
        for (JsonView each : all) {
            RegistryEntry entry = entry(each);
            if (entry != null) {
                entries.add(entry);
            }
        }
        return entries;
    }

    private static @Nullable RegistryEntry entry(JsonView given) {
        JsonView wrapped = given.isObject() ? given.member("server") : null;
        JsonView server = wrapped == null ? given : wrapped;
        String name = server.isObject() ? text(server, "name") : "";
        String status = status(given, server);
        if (name.isBlank() || status.equals("deleted")) {
            return null;
        }
        return new RegistryEntry(
                PlainText.of(name, MAX_NAME),
                PlainText.of(text(server, "title"), MAX_NAME),
                PlainText.of(text(server, "description"), MAX_DESCRIPTION),
                status.equals("deprecated"),
                list(server, "packages", RegistryEntryReader::program),
                list(server, "remotes", RegistryEntryReader::remote));
    }

    /// Beside the server in responses of a registry, inside it in older files.
    private static String status(JsonView given, JsonView server) {
        JsonView official = given.path("_meta", OFFICIAL, "status");
        String status = official == null ? null : official.string();
        return status == null ? text(server, "status") : status;
    }

    private static Program program(JsonView written) {
        JsonView transport = written.path("transport", "type");
        Program.Start start = new Program.Start(
                text(written, "runtimeHint"),
                !list(written, "runtimeArguments", Function.identity()).isEmpty(),
                transport == null ? "" : Objects.requireNonNullElse(transport.string(), ""),
                list(written, "packageArguments", RegistryEntryReader::argument),
                list(written, "environmentVariables", each -> input(each, text(each, "name"), false)));
        return new Program(
                new Program.Source(text(written, "registryType"), text(written, "registryBaseUrl")),
                text(written, "identifier"),
                text(written, "version"),
                written.string("fileSha256"),
                start);
    }

    private static Input argument(JsonView written) {
        String name = text(written, "name");
        return "named".equals(written.string("type")) || !name.isEmpty()
                ? input(written, name, true)
                : input(written, text(written, "valueHint"), false);
    }

    private static Input input(JsonView written, String name, boolean isOption) {
        String value = written.string("value");
        JsonView required = written.member("isRequired");
        return new Input(
                name,
                isOption,
                value == null ? written.string("default") : value,
                value != null || (required != null && required.isTrue()));
    }

    private static Remote remote(JsonView written) {
        return new Remote(
                text(written, "type"),
                text(written, "url"),
                list(written, "headers", each -> input(each, text(each, "name"), false)));
    }

    private static <T> List<T> list(JsonView object, String member, Function<JsonView, T> each) {
        JsonView list = object.member(member);
        return list == null || !list.isArray()
                ? List.of()
                : list.elements().stream()
                        .filter(JsonView::isObject)
                        .limit(MAX)
                        .map(each)
                        .toList();
    }

    private static String text(JsonView object, String member) {
        return Objects.requireNonNullElse(object.string(member), "");
    }
}
