package dev.fusebox.gateway.config;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The keys at the top of the file.
final class FileKeys {
    static final Key<String> SCHEMA = Key.of(
            "$schema",
            new Kind.Text(),
            "Where an editor finds the schema of the file. Fusebox reads it and does nothing with it.");
    static final Key<Map<String, Member>> MCP_SERVERS =
            Key.of("mcpServers", new ServersKind(), "The servers, by their names.");
    static final Key<Map<String, Member>> SERVERS =
            Key.of("servers", new ServersKind(), "The same as `mcpServers`, as VS Code writes it. Not both.");
    static final Key<Expose> EXPOSE = Key.of(
            "expose",
            Kind.Choice.of(Expose.values(), mode -> mode.name().toLowerCase(Locale.ROOT)),
            "\"meta\"",
            "What clients see: with `meta` a few tools that find and call those of all servers, with `proxy` what every"
                    + " server has, as `server__tool`, with `both` the two together.");
    static final Key<List<String>> PIN = Key.of(
            "pin",
            ListKind.of(new CheckedKind<>(new Kind.Text(), FileKeys::pinComplaint, "text, `server/tool`")),
            "[]",
            "Single tools that clients see in any case, as `server/tool`.");
    static final Key<Section> POOL =
            section("pool", Place.POOL, "How much may be under way at once, and how the gateway ends.");
    static final Key<Section> BREAKER =
            section("breaker", Place.BREAKER, "When the breaker of a server trips, and when it closes.");
    static final Key<Section> TOOL_BREAKER =
            section("toolBreaker", Place.TOOL_BREAKER, "The same for the breaker of a single tool.");
    static final Key<Section> RETRY =
            section("retry", Place.RETRY, "Which failed calls are made again, and how often.");
    static final Key<Section> RECOVERY = section("recovery", Place.RECOVERY, "How servers are looked after.");
    static final Key<Section> HTTP = section("http", Place.HTTP, "The front that clients reach over HTTP.");
    static final Key<Section> LIMITS = section("limits", Place.LIMITS, "What clients and servers are held to.");
    static final Key<Section> ARGUMENTS =
            section("arguments", Place.ARGUMENTS, "How the arguments of calls are checked.");
    static final Key<Section> DISCOVERY = section("discovery", Place.DISCOVERY, "How tools are found.");
    static final Key<Section> PROVISION = section(
            "provision", Place.PROVISION, "Which servers `mcp_provision` finds beside those that are configured.");
    static final Key<Section> EXECUTE =
            section("execute", Place.EXECUTE, "What scripts that clients have run may cost.");
    static final Key<Section> TELEMETRY = section("telemetry", Place.TELEMETRY, "What the gateway tells of itself.");

    static final List<Key<?>> ALL = List.of(
            MCP_SERVERS,
            SERVERS,
            EXPOSE,
            PIN,
            BREAKER,
            TOOL_BREAKER,
            RETRY,
            POOL,
            RECOVERY,
            HTTP,
            LIMITS,
            ARGUMENTS,
            DISCOVERY,
            PROVISION,
            EXECUTE,
            TELEMETRY,
            SCHEMA);

    static final Set<String> LATER = Set.of("security", "chaos");

    static final List<Foreign> FOREIGN = List.of(
            Foreign.accepted(
                    "inputs",
                    "means nothing here: Fusebox asks for no input; write ${env:NAME} in place of ${input:NAME} and set"
                            + " that variable"),
            Foreign.accepted("globalShortcut", "means nothing here: it is a matter of the client's"),
            Foreign.refused("mcp", "is not read: put its \"servers\" at the top of the file"),
            Foreign.refused("context_servers", "is not read: write \"mcpServers\""));

    private FileKeys() {}

    private static @Nullable String pinComplaint(String pin) {
        return pin.matches("[^/]+/.+") ? null : "is not a server, a slash and a tool, as in jira/search";
    }

    private static Key<Section> section(String name, Place place, String meaning) {
        return Key.of(name, new SectionKind(place), meaning);
    }
}
