package dev.fusebox.gateway.config;

import dev.fusebox.client.http.HttpTarget;
import dev.fusebox.client.http.Proxies;
import dev.fusebox.client.http.Proxy;
import dev.fusebox.client.http.Route;
import dev.fusebox.client.http.Trust;
import dev.fusebox.client.process.ChildSpec;
import dev.fusebox.gateway.served.EraPolicy;
import dev.fusebox.gateway.served.EraRule;
import dev.fusebox.protocol.JsonFault;
import dev.fusebox.protocol.JsonView;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import javax.net.ssl.SSLContext;

/// The one server that a configuration file names: `{"mcpServers": {"NAME": {"command": ..., "args": [...]}}}`, or
/// `{"url": ..., "headers": {...}}` for one over HTTP, with `"type": "sse"` for one of the old transport. Immutable.
///
/// The whole configuration comes with a later step; what is not known here is refused and not ignored.
///
/// @param name of the server
/// @param server how to reach it
/// @param eras which era it speaks, as far as the operator knows
public record ServerFile(String name, Server server, EraRule eras) {
    private static final Set<String> OF_ALL = Set.of("mcpServers", "limits");
    private static final Set<String> OF_LIMITS = Set.of("eraProbeMs");
    private static final Set<String> OF_PROCESS = Set.of("command", "type", "args", "inheritEnv", "cwd", "env", "era");
    private static final Set<String> OF_REMOTE = Set.of("url", "type", "headers", "era", "proxy", "ca");
    /// Asking takes no longer than connecting does.
    private static final long LONGEST_PROBE_MILLIS = 60_000;

    /// How a server is reached.
    public sealed interface Server {
        /// As a process of our own.
        record Stdio(ChildSpec spec) implements Server {}

        /// Over Streamable HTTP.
        record Http(HttpTarget target) implements Server {}

        /// Over HTTP with SSE, as of revision 2024-11-05.
        record Sse(HttpTarget target) implements Server {}
    }

    /// What is wrong with a file, for people.
    public static final class Problem extends Exception {
        private static final long serialVersionUID = 1;

        Problem(String message) {
            super(message);
        }
    }

    /// Reads the file.
    public static ServerFile read(Path file) throws Problem {
        try {
            return parse(Files.readAllBytes(file), file.toAbsolutePath().resolveSibling(""));
        } catch (IOException unreadable) {
            throw new Problem(file + " cannot be read: " + unreadable.getMessage());
        } catch (JsonFault fault) {
            throw new Problem(file + " is not JSON: " + fault.getMessage());
        } catch (Problem problem) {
            throw new Problem(file + ": " + problem.getMessage());
        }
    }

    /// @param folder that files are looked for in
    static ServerFile parse(byte[] text, Path folder) throws JsonFault, Problem {
        Section all = Section.of("", JsonView.parse(text));
        all.only(OF_ALL, "");
        if (!all.members().containsKey("mcpServers")) {
            throw new Problem("there is no object \"mcpServers\"");
        }
        Section servers = all.section("mcpServers");
        if (servers.members().size() != 1) {
            throw new Problem(
                    "/mcpServers names " + servers.members().size() + " servers; so far Fusebox serves exactly one");
        }
        String name = servers.members().keySet().iterator().next();
        Section entry = servers.section(name);
        Server server = server(entry, folder);
        return new ServerFile(name, server, new EraRule(era(entry, server), eraProbe(all.section("limits"))));
    }

    private static Duration eraProbe(Section limits) throws Problem {
        limits.only(OF_LIMITS, "");
        long usual = EraRule.USUAL.probe().toMillis();
        return Duration.ofMillis(limits.number("eraProbeMs", usual, 1, LONGEST_PROBE_MILLIS));
    }

    /// The old transport is older than the stateless era, so there is nothing to find out.
    private static EraPolicy era(Section entry, Server server) throws Problem {
        String word = entry.text("era");
        EraPolicy named = word == null ? EraPolicy.AUTO : EraPolicy.of(word).orElse(null);
        if (named == null) {
            throw entry.problem("era", "is \"" + word + "\"; it must be legacy, auto or modern");
        }
        if (server instanceof Server.Sse && named == EraPolicy.STATELESS) {
            throw entry.problem("era", "is \"modern\", which a server of type sse cannot speak");
        }
        return server instanceof Server.Sse ? EraPolicy.SESSION : named;
    }

    private static Server server(Section entry, Path folder) throws Problem {
        String url = entry.text("url");
        return url == null ? new Server.Stdio(spec(entry)) : remote(entry, url, folder);
    }

    private static Server remote(Section entry, String url, Path folder) throws Problem {
        entry.only(OF_REMOTE, " for a server with a url");
        HttpTarget target = target(entry, url, folder);
        String type = entry.text("type");
        return switch (type == null ? "http" : type) {
            case "http", "streamable-http" -> new Server.Http(target);
            case "sse" -> new Server.Sse(target);
            default -> throw entry.problem("type", "is \"" + type + "\"; with a url it must be http or sse");
        };
    }

    private static HttpTarget target(Section entry, String url, Path folder) throws Problem {
        HttpTarget bare;
        try {
            bare = HttpTarget.of(new URI(url));
        } catch (URISyntaxException wrong) {
            // Its message shows all of the address, and with it its secrets.
            String where = wrong.getIndex() < 0 ? "" : " at character " + (wrong.getIndex() + 1);
            throw entry.problem("url", "cannot be used: " + wrong.getReason() + where);
        } catch (IllegalArgumentException unusable) {
            throw entry.problem("url", "cannot be used: " + unusable.getMessage());
        }
        try {
            return bare.withHeaders(entry.variables("headers")).by(route(entry, bare, folder));
        } catch (IllegalArgumentException unusable) {
            throw entry.problem("headers", "cannot be used: " + unusable.getMessage());
        }
    }

    private static Route route(Section entry, HttpTarget bare, Path folder) throws Problem {
        Route route = Route.USUAL;
        String proxy = entry.text("proxy");
        if (proxy != null && bare.isHere()) {
            throw entry.problem("proxy", "has no meaning: a server on this machine is never reached through a proxy");
        }
        if (proxy != null) {
            route = route.through(proxies(entry, proxy));
        }
        String ca = entry.text("ca");
        if (ca != null && !"https".equalsIgnoreCase(bare.uri().getScheme())) {
            throw entry.problem("ca", "has no meaning: the url is not https");
        }
        return ca == null ? route : route.trusting(trust(entry, ca, folder));
    }

    private static Proxies proxies(Section entry, String proxy) throws Problem {
        try {
            return proxy.equals("none") ? Proxies.NONE : Proxies.always(Proxy.parse(proxy));
        } catch (IllegalArgumentException unusable) {
            throw entry.problem("proxy", "cannot be used: " + unusable.getMessage() + "; none is \"none\"");
        }
    }

    private static SSLContext trust(Section entry, String ca, Path folder) throws Problem {
        try {
            return Trust.of(folder.resolve(ca));
        } catch (IOException | InvalidPathException unusable) {
            throw entry.problem("ca", "cannot be used: " + unusable.getMessage());
        }
    }

    private static ChildSpec spec(Section entry) throws Problem {
        entry.only(OF_PROCESS, " for a server without a url");
        String command = entry.text("command");
        if (command == null) {
            throw new Problem(entry.pointer() + " has neither \"command\" nor \"url\"");
        }
        String type = entry.text("type");
        if (type != null && !type.equals("stdio")) {
            throw entry.problem("type", "is \"" + type + "\"; without a url it must be stdio");
        }
        return ChildSpec.of(command, entry.texts("args").toArray(String[]::new))
                .withEnv(entry.variables("env"))
                .withInheritEnv(entry.texts("inheritEnv"))
                .withCwd(entry.text("cwd"));
    }
}
