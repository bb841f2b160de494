package dev.fusebox.gateway.config;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The keys at the top of the file.
final class FileKeys {
    static final ConfigKey<String> SCHEMA = ConfigKey.of(
            "$schema",
            new ValueType.Text(),
            "Where an editor finds the schema of the file. Fusebox reads it and does nothing with it.");
    static final ConfigKey<Map<String, JsonMember>> MCP_SERVERS =
            ConfigKey.of("mcpServers", new ServersType(), "The servers, by their names.");
    static final ConfigKey<Map<String, JsonMember>> SERVERS =
            ConfigKey.of("servers", new ServersType(), "The same as `mcpServers`, as VS Code writes it. Not both.");
    static final ConfigKey<Expose> EXPOSE = ConfigKey.of(
            "expose",
            ValueType.Choice.of(Expose.values(), mode -> mode.name().toLowerCase(Locale.ROOT)),
            "\"meta\"",
            "What clients see: with `meta` a few tools that find and call those of all servers, with `proxy` what every"
                    + " server has, as `server__tool`, with `both` the two together.");
    static final ConfigKey<List<String>> PIN = ConfigKey.of(
            "pin",
            ListType.of(new ValidatedValueType<>(new ValueType.Text(), FileKeys::pinComplaint, "text, `server/tool`")),
            "[]",
            "Single tools that clients see in any case, as `server/tool`.");
    static final ConfigKey<ConfigSection> POOL =
            section("pool", SectionType.POOL, "How much may be under way at once, and how the gateway ends.");
    static final ConfigKey<ConfigSection> BREAKER =
            section("breaker", SectionType.BREAKER, "When the breaker of a server trips, and when it closes.");
    static final ConfigKey<ConfigSection> TOOL_BREAKER =
            section("toolBreaker", SectionType.TOOL_BREAKER, "The same for the breaker of a single tool.");
    static final ConfigKey<ConfigSection> RETRY =
            section("retry", SectionType.RETRY, "Which failed calls are made again, and how often.");
    static final ConfigKey<ConfigSection> RECOVERY =
            section("recovery", SectionType.RECOVERY, "How servers are looked after.");
    static final ConfigKey<ConfigSection> HTTP =
            section("http", SectionType.HTTP, "The front that clients reach over HTTP.");
    static final ConfigKey<ConfigSection> LIMITS =
            section("limits", SectionType.LIMITS, "What clients and servers are held to.");
    static final ConfigKey<ConfigSection> ARGUMENTS =
            section("arguments", SectionType.ARGUMENTS, "How the arguments of calls are checked.");
    static final ConfigKey<ConfigSection> DISCOVERY =
            section("discovery", SectionType.DISCOVERY, "How tools are found.");
    static final ConfigKey<ConfigSection> PROVISION = section(
            "provision",
            SectionType.PROVISION,
            "Which servers `mcp_provision` finds beside those that are configured.");
    static final ConfigKey<ConfigSection> EXECUTE =
            section("execute", SectionType.EXECUTE, "What scripts that clients have run may cost.");
    static final ConfigKey<ConfigSection> TELEMETRY =
            section("telemetry", SectionType.TELEMETRY, "What the gateway tells of itself.");

    static final List<ConfigKey<?>> ALL = List.of(
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

    static final List<ForeignKey> FOREIGN = List.of(
            ForeignKey.accepted(
                    "inputs",
                    "means nothing here: Fusebox asks for no input; write ${env:NAME} in place of ${input:NAME} and set"
                            + " that variable"),
            ForeignKey.accepted("globalShortcut", "means nothing here: it is a matter of the client's"),
            ForeignKey.refused("mcp", "is not read: put its \"servers\" at the top of the file"),
            ForeignKey.refused("context_servers", "is not read: write \"mcpServers\""));

    private FileKeys() {}

    private static @Nullable String pinComplaint(String pin) {
        return pin.matches("[^/]+/.+") ? null : "is not a server, a slash and a tool, as in jira/search";
    }

    private static ConfigKey<ConfigSection> section(String name, SectionType sectionType, String meaning) {
        return ConfigKey.of(name, new SectionValueType(sectionType), meaning);
    }
}
