package dev.fusebox.config;

import dev.fusebox.config.ValueType.Choice;
import dev.fusebox.config.ValueType.Text;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The keys at the top of the file, and all sections. Uses all other sections; none of them uses it.
final class FileSection {
    static final SectionType SECTION = new SectionType(
            "file",
            "the file itself",
            Set.of("security", "chaos"),
            List.of(
                    ForeignKey.accepted(
                            "inputs",
                            "has no effect here: Fusebox asks for no input; write ${env:NAME} instead of ${input:NAME}"
                                    + " and set that variable"),
                    ForeignKey.accepted("globalShortcut", "has no effect here: it is a client setting"),
                    ForeignKey.refused("mcp", "is not supported: move its \"servers\" to the top level of the file"),
                    ForeignKey.refused("context_servers", "is not supported: write \"mcpServers\"")));

    /// In the order of the documentation.
    static final List<SectionType> SECTIONS = List.of(
            SECTION,
            ServerSection.SECTION,
            ToolSection.SECTION,
            LifecycleSection.SECTION,
            OAuthSection.SECTION,
            BreakerSection.SECTION,
            ToolBreakerSection.SECTION,
            RetrySection.SECTION,
            PoolSection.SECTION,
            RecoverySection.SECTION,
            HttpSection.SECTION,
            HttpSection.AUTH,
            LimitSection.SECTION,
            ArgumentSection.SECTION,
            DiscoverySection.SECTION,
            ProvisionSection.SECTION,
            ExecuteSection.SECTION,
            ResultsSection.SECTION,
            CredentialsSection.SECTION,
            LoginSection.SECTION,
            ShareSection.SECTION,
            ExtensionSection.SECTION,
            ProfileSection.SECTION,
            ProfileSection.TOOLS,
            TelemetrySection.SECTION);

    /// The servers by name. A server is read by [ServerReader], so that an error in one leaves the others usable.
    private record Servers() implements ValueType<Map<String, JsonMember>> {
        @Override
        public @Nullable Map<String, JsonMember> read(JsonView value, SourceLocation location) {
            return JsonMember.of(value, location);
        }

        @Override
        public String words() {
            return "object: names with servers";
        }

        @Override
        public void describe(JsonWriter schema) {
            schema.name("type").string("object").name("additionalProperties").beginObject();
            schema.name("$ref").string("#/$defs/" + ServerSection.SECTION.label());
            schema.endObject();
        }
    }

    static final ConfigKey<Map<String, JsonMember>> MCP_SERVERS =
            SECTION.key("mcpServers", new Servers(), "", "The servers by name.");
    static final ConfigKey<Map<String, JsonMember>> SERVERS =
            SECTION.key("servers", new Servers(), "", "The same as `mcpServers`, as VS Code writes it. Not both.");
    static final ConfigKey<Expose> EXPOSE = SECTION.key(
            "expose",
            Choice.of(Expose.values()),
            "\"meta\"",
            "What clients see: with `meta` a few tools that find and call the tools of all servers, with"
                    + " `proxy` everything that the servers have, as `server__tool`, with `both` the two together.");
    static final ConfigKey<List<String>> PIN = SECTION.key(
            "pin",
            ListType.of(new ValidatedValueType<>(new Text(), FileSection::pinComplaint, "text, `server/tool`")),
            "[]",
            "Single tools that clients see in any case, as `server/tool`.");
    static final ConfigKey<ConfigSection> BREAKER =
            SECTION.section(BreakerSection.SECTION, "When the breaker of a server trips, and when it closes.");
    static final ConfigKey<ConfigSection> TOOL_BREAKER =
            SECTION.section(ToolBreakerSection.SECTION, "The same for the breaker of a single tool.");
    static final ConfigKey<ConfigSection> RETRY =
            SECTION.section(RetrySection.SECTION, "Which failed calls are retried, and how often.");
    static final ConfigKey<ConfigSection> POOL = SECTION.section(
            PoolSection.SECTION, "Limits for processes, connections and concurrent calls, and the shutdown.");
    static final ConfigKey<ConfigSection> RECOVERY =
            SECTION.section(RecoverySection.SECTION, "Restarts and health checks of servers.");
    static final ConfigKey<ConfigSection> HTTP =
            SECTION.section(HttpSection.SECTION, "The HTTP front end for clients.");
    static final ConfigKey<ConfigSection> LIMITS =
            SECTION.section(LimitSection.SECTION, "Limits for clients and servers.");
    static final ConfigKey<ConfigSection> ARGUMENTS =
            SECTION.section(ArgumentSection.SECTION, "How the arguments of calls are checked.");
    static final ConfigKey<ConfigSection> DISCOVERY = SECTION.section(DiscoverySection.SECTION, "How tools are found.");
    static final ConfigKey<ConfigSection> PROVISION = SECTION.section(
            ProvisionSection.SECTION, "Which servers `mcp_provision` finds in addition to the configured ones.");
    static final ConfigKey<ConfigSection> EXECUTE =
            SECTION.section(ExecuteSection.SECTION, "Limits for scripts that clients run.");
    static final ConfigKey<ConfigSection> RESULTS =
            SECTION.section(ResultsSection.SECTION, "How long results for clients may be.");
    static final ConfigKey<ConfigSection> CREDENTIALS =
            SECTION.section(CredentialsSection.SECTION, "Where tokens and secrets are stored.");
    static final ConfigKey<ConfigSection> LOGIN =
            SECTION.section(LoginSection.SECTION, "How users are asked to log in.");
    static final ConfigKey<ConfigSection> SHARE =
            SECTION.section(ShareSection.SECTION, "Whether clients share a gateway.");
    static final ConfigKey<ConfigSection> EXTENSIONS =
            SECTION.section(ExtensionSection.SECTION, "Which protocol extensions the gateway supports.");
    static final ConfigKey<Map<String, ConfigSection>> PROFILES = SECTION.key(
            "profiles",
            new MapType<>("names", new SectionValueType(ProfileSection.SECTION)),
            "",
            "Parts of the servers and their tools that clients choose by name.");
    static final ConfigKey<ConfigSection> TELEMETRY =
            SECTION.section(TelemetrySection.SECTION, "The gateway's log and traces.");
    static final ConfigKey<String> SCHEMA =
            SECTION.key("$schema", new Text(), "", "Where an editor finds the schema of the file. Fusebox ignores it.");

    private FileSection() {}

    /// The sections that have a key of this name, as messages name them.
    static List<String> sectionsWith(String key) {
        return SECTIONS.stream()
                .filter(section -> section.has(key))
                .map(SectionType::words)
                .toList();
    }

    private static @Nullable String pinComplaint(String pin) {
        return pin.matches("[^/]+/.+") ? null : "is not a server, a slash and a tool, as in jira/search";
    }
}
