package dev.fusebox.config;

import dev.fusebox.config.Overrides.Read;
import dev.fusebox.protocol.JsonSyntaxError;
import dev.fusebox.protocol.JsonView;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The reader that converts the text of a file to a configuration. Not thread-safe; used once.
final class FileReader {
    private static final String USUAL_TIMEOUT = "FUSEBOX_OPERATION_TIMEOUT";

    private final HostEnvironment host;
    private final Path file;
    private final Overrides overrides;

    FileReader(HostEnvironment host, Path file, Overrides overrides) {
        this.host = host;
        this.file = file;
        this.overrides = overrides;
    }

    ReadResult read(byte[] text) {
        Jsonc plain = Jsonc.of(text);
        ProblemList problems =
                new ProblemList(new SourceText(file.toString(), text, plain.json()), FileSection::sectionsWith);
        SourceLocation whole = SourceLocation.file(problems);
        if (SourceText.isWide(text)) {
            SourceLocation.unknown(problems).error("is UTF-16 or UTF-32; save it as UTF-8");
        } else if (plain.unclosed() >= 0) {
            whole.moved(plain.unclosed()).error("has an unterminated comment");
        } else {
            JsonView json = json(plain.json(), whole);
            if (json != null) {
                return read(ConfigSection.read(FileSection.SECTION, json, whole.moved(json.from())));
            }
        }
        return new ReadResult.Refused(problems.errors(), problems.warnings());
    }

    private static @Nullable JsonView json(byte[] text, SourceLocation whole) {
        try {
            return JsonView.parse(text);
        } catch (JsonSyntaxError fault) {
            // The location is reported as line and column.
            String what = String.valueOf(fault.getMessage()).replace(" at byte " + fault.offset(), "");
            whole.moved(fault.offset()).error("is not JSON: " + what);
            return null;
        }
    }

    private ReadResult read(ConfigSection section) {
        ProblemList problems = section.location().problems();
        BreakerLayers breakers = new BreakerLayers(
                overrides.section(BreakerSection.SECTION, problems),
                section.section(FileSection.BREAKER),
                section.section(FileSection.POOL));
        breakers.check();
        AllServers allServers = allServers(section);
        Configuration.Gateway gateway = gateway(section, allServers.byId().keySet());
        SelfReference self =
                new SelfReference(host.variables(), file.toAbsolutePath().resolveSibling(""));
        FileSecrets secrets = new FileSecrets(host.secrets(), gateway.credentials());
        ServerReader each = new ServerReader(
                section, breakers, allServers, secrets, self, gateway.http().port(), usualTimeout(problems));
        List<ServerConfig> servers = servers(section, each);
        Expose expose =
                overrides.section(FileSection.SECTION, problems).over(section).value(FileSection.EXPOSE);
        Configuration configuration =
                new Configuration(servers, expose, pins(section, servers), VisibleTools.ALL, gateway);
        PoolSection.check(section.section(FileSection.POOL), gateway.pool().processes(), servers);
        if (problems.hasErrors()) {
            Stream<ConfigProblem> all = Stream.concat(problems.errors().stream(), configuration.problems());
            return new ReadResult.Refused(ProblemList.sorted(all.toList()), problems.warnings());
        }
        ProfileConfig profile = profile(configuration, section);
        if (problems.hasErrors()) {
            return new ReadResult.Refused(problems.errors(), problems.warnings());
        }
        Configuration seen = profile == null ? configuration : configuration.in(profile);
        boolean isExposeGiven = overrides.section(FileSection.SECTION, problems).isSet(FileSection.EXPOSE);
        return new ReadResult.Usable(isExposeGiven ? seen.exposing(expose) : seen, problems.warnings());
    }

    /// Null if none is chosen; an unknown one is an error.
    private @Nullable ProfileConfig profile(Configuration configuration, ConfigSection section) {
        String name = overrides.profile();
        ProfileConfig profile = name == null ? null : configuration.profiles().get(name);
        if (name != null && profile == null) {
            String all = String.join(", ", configuration.profiles().keySet());
            section.location()
                    .error("has no profile " + PrintableText.quoted(name)
                            + (all.isEmpty() ? "; it has none" : "; it has " + all));
        }
        return profile;
    }

    private Configuration.Gateway gateway(ConfigSection file, Set<String> ids) {
        ProblemList problems = file.location().problems();
        ConfigSection telemetry = file.section(FileSection.TELEMETRY);
        return new Configuration.Gateway(
                PoolSection.read(
                        file.section(FileSection.POOL),
                        overrides.section(PoolSection.SECTION, problems),
                        host.memory()),
                RecoverySection.read(file.section(FileSection.RECOVERY)),
                HttpSection.read(
                        overrides.section(HttpSection.SECTION, problems).over(file.section(FileSection.HTTP))),
                LimitSection.read(file.section(FileSection.LIMITS)),
                file.section(FileSection.ARGUMENTS).value(ArgumentSection.NULLS),
                DiscoverySection.read(file.section(FileSection.DISCOVERY)),
                ProvisionSection.read(file.section(FileSection.PROVISION)),
                ExecuteSection.read(file.section(FileSection.EXECUTE)),
                ResultsSection.read(file.section(FileSection.RESULTS)),
                telemetry.value(TelemetrySection.LOG_LEVEL),
                TelemetrySection.collector(telemetry),
                CredentialsSection.read(file.section(FileSection.CREDENTIALS)),
                LoginSection.read(file.section(FileSection.LOGIN)),
                ShareSection.read(file.section(FileSection.SHARE)),
                ExtensionSection.read(file.section(FileSection.EXTENSIONS)),
                ProfileSection.read(file.written(FileSection.PROFILES), ids));
    }

    /// A pin of an unknown server would never have an effect.
    private static List<String> pins(ConfigSection file, List<ServerConfig> servers) {
        List<String> pins = file.value(FileSection.PIN);
        Set<String> ids = servers.stream().map(ServerConfig::id).collect(Collectors.toSet());
        for (String pin : pins) {
            String server = pin.substring(0, pin.indexOf('/'));
            if (!ids.contains(server)) {
                file.at(FileSection.PIN)
                        .error(
                                "names the server " + PrintableText.quoted(server) + ", which does not exist",
                                SpellingSuggestion.nearest(server, ids));
            }
        }
        return pins;
    }

    private @Nullable Duration usualTimeout(ProblemList problems) {
        String text = host.variables().get(USUAL_TIMEOUT);
        if (text == null || text.isEmpty()) {
            return null;
        }
        Read<Long> read = Read.of(ServerSection.TIMEOUT_MS, text);
        if (read.complaint() != null) {
            SourceLocation.unknown(problems)
                    .error("cannot be read: the environment variable " + USUAL_TIMEOUT + " " + read.complaint());
        }
        return read.value() == null ? null : Duration.ofMillis(read.value());
    }

    private static AllServers allServers(ConfigSection section) {
        Map<String, JsonMember> entries = new LinkedHashMap<>();
        for (ConfigKey<Map<String, JsonMember>> key : List.of(FileSection.MCP_SERVERS, FileSection.SERVERS)) {
            Map<String, JsonMember> written = section.written(key);
            entries.putAll(written == null ? Map.of() : written);
        }
        return AllServers.in(entries);
    }

    private static List<ServerConfig> servers(ConfigSection section, ServerReader reader) {
        boolean both = section.has(FileSection.MCP_SERVERS) && section.has(FileSection.SERVERS);
        boolean neither = !section.has(FileSection.MCP_SERVERS) && !section.has(FileSection.SERVERS);
        if (both) {
            section.at(FileSection.SERVERS).error("duplicates \"mcpServers\"; remove one of them");
        }
        if (neither && section.isUnderstood()) {
            section.location().error("has no \"mcpServers\"");
        }
        List<ServerConfig> servers = new ArrayList<>();
        for (ConfigKey<Map<String, JsonMember>> key : List.of(FileSection.MCP_SERVERS, FileSection.SERVERS)) {
            Map<String, JsonMember> entries = section.written(key);
            if (entries != null) {
                servers.addAll(servers(entries, reader));
            }
        }
        if (servers.isEmpty() && !section.location().problems().hasErrors()) {
            section.location().warn("names no server");
        }
        return servers;
    }

    /// Ids that differ only in case are equal in some file systems, and look the same to people.
    private static List<ServerConfig> servers(Map<String, JsonMember> entries, ServerReader reader) {
        Map<String, String> writtenAs = new HashMap<>();
        List<ServerConfig> servers = new ArrayList<>();
        entries.forEach((written, entry) -> {
            if (written.isEmpty()) {
                entry.nameLocation().error("has an empty name");
                return;
            }
            ServerName name = ServerName.of(written);
            if (name.isUnusable()) {
                entry.nameLocation()
                        .error("is not a valid server name: it contains a NUL or is longer than 255 characters");
                return;
            }
            if (name.isReserved()) {
                entry.nameLocation()
                        .error("has the id \"" + name.id()
                                + "\", which is reserved; give the server another name than fusebox, mcp_call or -");
                return;
            }
            String other = writtenAs.putIfAbsent(name.id().toLowerCase(Locale.ROOT), written);
            if (other != null) {
                entry.nameLocation()
                        .error("gets the id \"" + name.id() + "\", which " + PrintableText.quoted(other)
                                + " already has; ids are case-insensitive");
            } else if (name.isDerived()) {
                entry.nameLocation()
                        .warn("is used as \"" + name.id() + "\": a server name has up to 64 characters from"
                                + " A-Z a-z 0-9 _ . -");
            }
            servers.add(reader.read(name, entry));
        });
        return servers;
    }
}
