package dev.fusebox.gateway.config;

import dev.fusebox.gateway.config.Overrides.Read;
import dev.fusebox.gateway.config.ServerReader.Surroundings;
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
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Makes a configuration of the text of a file. Not thread-safe; used once.
final class FileReader {
    private static final String USUAL_TIMEOUT = "FUSEBOX_OPERATION_TIMEOUT";

    private final Path file;
    private final Map<String, String> environment;
    private final Overrides overrides;
    private final long memory;

    /// Where it is unknown how much memory there is.
    FileReader(Path file, Map<String, String> environment, Overrides overrides) {
        this(file, environment, overrides, 0);
    }

    /// @param memory bytes that all processes may have together; 0 if unknown
    FileReader(Path file, Map<String, String> environment, Overrides overrides, long memory) {
        this.file = file;
        this.environment = environment;
        this.overrides = overrides;
        this.memory = memory;
    }

    ReadResult read(byte[] text) {
        Jsonc plain = Jsonc.of(text);
        ProblemList problems = new ProblemList(new SourceText(file.toString(), text, plain.json()));
        SourceLocation whole = SourceLocation.file(problems);
        if (SourceText.isWide(text)) {
            SourceLocation.nowhere(problems).error("is UTF-16 or UTF-32; save it as UTF-8");
        } else if (plain.unclosed() >= 0) {
            whole.moved(plain.unclosed()).error("has a comment that does not end");
        } else {
            JsonView json = json(plain.json(), whole);
            if (json != null) {
                return read(ConfigSection.read(SectionType.FILE, json, whole.moved(json.from())));
            }
        }
        return new ReadResult.Refused(problems.errors(), problems.warnings());
    }

    private static @Nullable JsonView json(byte[] text, SourceLocation whole) {
        try {
            return JsonView.parse(text);
        } catch (JsonSyntaxError fault) {
            // The place is told as line and column.
            String what = String.valueOf(fault.getMessage()).replace(" at byte " + fault.offset(), "");
            whole.moved(fault.offset()).error("is not JSON: " + what);
            return null;
        }
    }

    private ReadResult read(ConfigSection section) {
        ProblemList problems = section.location().problems();
        SharedSettings sharedSettings = SharedSettings.of(section, overrides);
        sharedSettings.check();
        GatewayReader reader = new GatewayReader(section, overrides, memory);
        Configuration.Gateway gateway = reader.read();
        Path folder = file.toAbsolutePath().resolveSibling("");
        Surroundings surroundings = new Surroundings(
                environment, folder, usualTimeout(problems), gateway.http().port());
        ServerReader each = new ServerReader(sharedSettings, gateway.limits(), surroundings, allServers(section));
        List<ServerConfig> servers = servers(section, each);
        Configuration configuration = new Configuration(servers, reader.expose(), reader.pins(servers), gateway);
        new PoolCheck(section.section(FileKeys.POOL), configuration).check();
        if (problems.hasErrors()) {
            Stream<ConfigProblem> all = Stream.concat(problems.errors().stream(), configuration.problems());
            return new ReadResult.Refused(ProblemList.sorted(all.toList()), problems.warnings());
        }
        return new ReadResult.Usable(configuration, problems.warnings());
    }

    private @Nullable Duration usualTimeout(ProblemList problems) {
        String text = environment.get(USUAL_TIMEOUT);
        if (text == null || text.isEmpty()) {
            return null;
        }
        Read<Long> read = Read.of(ServerKeys.TIMEOUT_MS, text);
        if (read.complaint() != null) {
            SourceLocation.nowhere(problems)
                    .error("cannot be read: the environment variable " + USUAL_TIMEOUT + " " + read.complaint());
        }
        return read.value() == null ? null : Duration.ofMillis(read.value());
    }

    private static AllServers allServers(ConfigSection section) {
        Map<String, JsonMember> entries = new LinkedHashMap<>();
        for (ConfigKey<Map<String, JsonMember>> key : List.of(FileKeys.MCP_SERVERS, FileKeys.SERVERS)) {
            Map<String, JsonMember> written = section.written(key);
            entries.putAll(written == null ? Map.of() : written);
        }
        return AllServers.in(entries);
    }

    private static List<ServerConfig> servers(ConfigSection section, ServerReader reader) {
        boolean both = section.has(FileKeys.MCP_SERVERS) && section.has(FileKeys.SERVERS);
        boolean neither = !section.has(FileKeys.MCP_SERVERS) && !section.has(FileKeys.SERVERS);
        if (both) {
            section.at(FileKeys.SERVERS).error("stands beside \"mcpServers\", which is the same; take one of them out");
        }
        if (neither && section.isUnderstood()) {
            section.location().error("has no \"mcpServers\"");
        }
        List<ServerConfig> servers = new ArrayList<>();
        for (ConfigKey<Map<String, JsonMember>> key : List.of(FileKeys.MCP_SERVERS, FileKeys.SERVERS)) {
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

    /// Ids that differ in capitals only are one to file systems and to tired people.
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
                entry.nameLocation().error("is no name for a server: it holds a NUL or is longer than 255 characters");
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
                                + " has already; capitals make no difference");
            } else if (name.isDerived()) {
                entry.nameLocation()
                        .warn("is called \"" + name.id() + "\" wherever names go: a name is up to 64 of"
                                + " A-Z a-z 0-9 _ . -");
            }
            servers.add(reader.read(name, entry));
        });
        return servers;
    }
}
