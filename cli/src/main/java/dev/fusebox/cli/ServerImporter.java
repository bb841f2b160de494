package dev.fusebox.cli;

import dev.fusebox.config.ConfigFile;
import dev.fusebox.config.ConfigProblem;
import dev.fusebox.config.ReadResult;
import dev.fusebox.config.SelfReference;
import dev.fusebox.config.ServerName;
import dev.fusebox.config.edit.ClientEntryTranslator;
import dev.fusebox.config.edit.ClientFile;
import dev.fusebox.config.edit.JsonEditor;
import dev.fusebox.config.edit.ServerEntry;
import dev.fusebox.config.edit.Unreadable;
import dev.fusebox.gateway.settings.HostEnvironments;
import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// An importer of clients' servers into the text of Fusebox's configuration: each server once, under a free name,
/// and never the gateway itself. Writes nothing. For one command and one thread; blocks on disk I/O.
final class ServerImporter {
    /// The option that renames a server.
    static final String RENAME = "--rename";

    private static final int USUAL_PORT = 7332;

    private final Platform platform;
    private final EditedFile ours;
    private final LiteralCheck literals;
    private final Map<String, String> wanted;
    private JsonEditor text;

    /// @param wanted new names of servers, by their names in clients
    ServerImporter(Platform platform, EditedFile ours, Map<String, String> wanted) throws Unreadable {
        this.platform = platform;
        this.ours = ours;
        this.literals = new LiteralCheck(ours.workTree());
        this.wanted = wanted;
        JsonEditor begun = ours.text();
        this.text = begun.at(ours.servers()) == null
                ? begun.with(List.of(), ours.servers().getFirst(), "{}")
                : begun;
    }

    /// The values of `--rename`: new names of servers, by their names in clients.
    static Map<String, String> renames(CommandArguments commandArguments) throws ServeOptions.Problem {
        Map<String, String> renames = new HashMap<>();
        for (String pair : commandArguments.all(RENAME)) {
            int is = pair.indexOf('=');
            if (is <= 0 || is == pair.length() - 1) {
                throw new ServeOptions.Problem(RENAME + " needs NAME=NEW");
            }
            renames.put(pair.substring(0, is), pair.substring(is + 1));
        }
        return renames;
    }

    /// The configuration with all servers imported so far.
    JsonEditor text() {
        return text;
    }

    /// Discards the imports since this text.
    void backTo(JsonEditor before) {
        this.text = before;
    }

    /// Imports a server unless it has to stay with the client.
    ///
    /// @param written the client's entry
    /// @param project the project of the file; null for a file of the user
    MovedServer take(ClientFile client, String name, JsonView written, @Nullable Path project) throws Unreadable {
        JsonView entry = project == null ? written : inProject(written, project);
        String server = ClientEntryTranslator.of(entry, client);
        if (server == null) {
            return MovedServer.staying(name, "it has neither a command nor a URL");
        }
        if (isItself(server)) {
            return itself(name, server);
        }
        if (isLaunchingScript(server)) {
            return MovedServer.staying(
                    name, "its script starts Fusebox; remove it by hand unless it serves another configuration");
        }
        Optional<String> clientOnly = ClientEntryTranslator.clientOnly(entry);
        if (clientOnly.isPresent()) {
            return MovedServer.staying(name, "only " + client.label() + " can resolve " + clientOnly.get());
        }
        MovedServer taken = taken(client, name, project == null ? server : runningIn(server, project));
        List<String> approvals = ClientEntryTranslator.approvals(entry);
        return approvals.isEmpty() || !taken.leaves()
                ? taken
                : taken.because(String.join(" and ", approvals) + " cannot be moved: " + client.label()
                        + " has a single approval for all tools of Fusebox");
    }

    private MovedServer taken(ClientFile client, String name, String server) throws Unreadable {
        String known = known(literals.replaced(name, server));
        if (known != null) {
            return new MovedServer(name, MovedServer.Move.MERGED, known, "", List.of());
        }
        String as = free(name, client);
        String replaced = literals.replaced(as, server);
        JsonEditor with = text.with(ours.servers(), as, replaced);
        Optional<String> mistake = mistake(with);
        if (mistake.isPresent()) {
            return MovedServer.staying(name, "it would be invalid in Fusebox: " + mistake.get());
        }
        text = with;
        return new MovedServer(name, MovedServer.Move.TAKEN, as, "", literals.of(as));
    }

    /// The name of an identical server; null if there is none.
    private @Nullable String known(String server) {
        ServerEntry entry = ServerEntry.of(server);
        return servers().entrySet().stream()
                .filter(each -> each.getValue().isObject() && new ServerEntry(each.getValue()).isSame(entry))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse(null);
    }

    private Map<String, JsonView> servers() {
        Map<String, JsonView> servers = new LinkedHashMap<>();
        JsonView all = text.at(ours.servers());
        if (all != null && all.isObject()) {
            all.forEachMember(servers::put);
        }
        return servers;
    }

    // ---- Names

    /// The name for a server: the client's or the one from `--rename`, with a suffix if that is taken.
    private String free(String name, ClientFile client) {
        String first = wanted.getOrDefault(name, name);
        Set<String> taken = servers().keySet().stream().map(ServerImporter::id).collect(Collectors.toSet());
        String next = first;
        for (int number = 1; !isUsable(next) || taken.contains(id(next)); number++) {
            String base = first.isEmpty() || ServerName.of(first).isUnusable() ? "server" : first;
            next = base + "-" + client.id() + (number == 1 ? "" : "-" + number);
        }
        return next;
    }

    private static boolean isUsable(String name) {
        return !name.isEmpty()
                && !ServerName.of(name).isUnusable()
                && !ServerName.of(name).isReserved();
    }

    private static String id(String name) {
        return ServerName.of(name).id().toLowerCase(Locale.ROOT);
    }

    /// The first configuration error that the change would add.
    private Optional<String> mistake(JsonEditor with) {
        Set<String> before = problems(text).collect(Collectors.toSet());
        return problems(with).filter(problem -> !before.contains(problem)).findFirst();
    }

    private Stream<String> problems(JsonEditor of) {
        return ConfigFile.read(HostEnvironments.ofUnapproved(platform), ours.path(), of.bytes()).problems().stream()
                .map(ServerImporter::words);
    }

    private static String words(ConfigProblem problem) {
        return problem.pointer() + " " + problem.message();
    }

    // ---- Fusebox itself

    private boolean isItself(String server) {
        JsonView entry = JsonView.of(server);
        String command = entry.string("command");
        if (command != null) {
            List<String> args = args(entry);
            return self().isLaunch(command, args, entry.string("cwd")) || SelfReference.isBridge(args, port());
        }
        try {
            return SelfReference.isAddress(new URI(String.valueOf(entry.string("url"))), port());
        } catch (URISyntaxException noAddress) {
            return false;
        }
    }

    private SelfReference self() {
        return new SelfReference(
                platform.environment(), ours.path().toAbsolutePath().resolveSibling(""));
    }

    /// Such a script may serve another configuration, so it is not removed.
    private boolean isLaunchingScript(String server) {
        JsonView entry = JsonView.of(server);
        String command = entry.string("command");
        return command != null && self().isLaunchingScript(command, args(entry), entry.string("cwd"));
    }

    private static List<String> args(JsonView entry) {
        JsonView args = entry.member("args");
        List<String> words = new ArrayList<>();
        if (args != null) {
            args.elements().stream()
                    .map(JsonView::string)
                    .filter(Objects::nonNull)
                    .forEach(words::add);
        }
        return words;
    }

    private int port() {
        return ConfigFile.read(
                                HostEnvironments.ofUnapproved(platform),
                                ours.path(),
                                ours.text().bytes())
                        instanceof ReadResult.Usable usable
                ? usable.configuration().http().port()
                : USUAL_PORT;
    }

    /// A gateway with another configuration file is another gateway and stays.
    private MovedServer itself(String name, String server) {
        List<String> args = args(JsonView.of(server));
        int option = args.indexOf("--config");
        boolean isOther = option >= 0
                && option + 1 < args.size()
                && !RunningGateways.isSame(Path.of(args.get(option + 1)), ours.path())
                && !Path.of(args.get(option + 1)).equals(ours.path().toAbsolutePath());
        return isOther
                ? MovedServer.staying(name, "it is Fusebox with another configuration: " + args.get(option + 1))
                : new MovedServer(name, MovedServer.Move.ITSELF, "", "it is Fusebox itself", List.of());
    }

    /// Whether a client's entry is Fusebox itself.
    boolean isItself(ClientFile client, JsonView written) {
        String server = ClientEntryTranslator.of(written, client);
        return server != null && isItself(server);
    }

    // ---- Projects

    private static JsonView inProject(JsonView written, Path project) {
        String quoted = JsonWriter.quoted(project.toString());
        return JsonView.of(written.json().replace("${workspaceFolder}", quoted.substring(1, quoted.length() - 1)));
    }

    /// Adds the project folder as working directory, as the client would use it.
    private static String runningIn(String server, Path project) throws Unreadable {
        JsonView entry = JsonView.of(server);
        boolean isPlaced = entry.member("command") == null || entry.member("cwd") != null;
        String end = ",\"cwd\":" + JsonWriter.quoted(project.toString()) + "}";
        return isPlaced ? server : server.substring(0, server.length() - 1) + end;
    }
}
