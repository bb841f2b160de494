package dev.fusebox.gateway;

import dev.fusebox.config.LimitConfig;
import dev.fusebox.config.ServerConfig;
import dev.fusebox.config.ServerEndpoint;
import dev.fusebox.config.ServerState.Ready;
import dev.fusebox.gateway.upstream.LaunchDifference;
import dev.fusebox.gateway.upstream.LaunchIdentity;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// What makes a server the same for several clients. Immutable.
///
/// @param server with everything that its configuration says
/// @param limits for its messages
/// @param folder of its process; empty for a remote server, and in this gateway's own folder
/// @param variables that its process inherits
/// @param isInClientFolder whether the folder is that of the client, because the configuration names none
record ServerLaunch(
        ServerConfig server, LimitConfig limits, String folder, Map<String, String> variables, boolean isInClientFolder)
        implements LaunchIdentity {
    ServerLaunch {
        variables = Map.copyOf(variables);
    }

    @Override
    public LaunchDifference differenceFrom(LaunchIdentity other) {
        if (!(other instanceof ServerLaunch launch)) {
            return LaunchDifference.of(List.of());
        }
        List<String> settings = new ArrayList<>(settings(launch));
        if (!folder.equals(launch.folder)) {
            settings.add(LaunchDifference.FOLDER);
        }
        List<String> names = names(environment(), launch.environment());
        boolean isUnexplained = settings.isEmpty() && names.isEmpty() && !equals(launch);
        if (isUnexplained
                || !limits.equals(launch.limits)
                || !withEndpointOf(launch).equals(launch.server)) {
            settings.add("settings");
        }
        return new LaunchDifference(names, settings, isInClientFolder);
    }

    /// This server with the endpoint of another one.
    private ServerConfig withEndpointOf(ServerLaunch other) {
        return new ServerConfig(
                server.name(), server.presence(), other.server.state(), server.eras(), server.times(), server.rules());
    }

    private @Nullable ServerEndpoint endpoint() {
        return server.state() instanceof Ready(ServerEndpoint endpoint) ? endpoint : null;
    }

    /// The variables of its process.
    private Map<String, String> environment() {
        Map<String, String> environment = new TreeMap<>(variables);
        if (endpoint() instanceof ServerEndpoint.Stdio process) {
            environment.putAll(process.env());
        }
        return environment;
    }

    /// The keys in which two maps differ.
    private static List<String> names(Map<String, String> one, Map<String, String> other) {
        Set<String> names = new TreeSet<>(one.keySet());
        names.addAll(other.keySet());
        names.removeIf(name -> Objects.equals(one.get(name), other.get(name)));
        return List.copyOf(names);
    }

    /// The settings of the endpoint that differ, but for the variables.
    private List<String> settings(ServerLaunch other) {
        ServerEndpoint mine = endpoint();
        ServerEndpoint theirs = other.endpoint();
        List<String> settings = new ArrayList<>();
        if (mine instanceof ServerEndpoint.Stdio one && theirs instanceof ServerEndpoint.Stdio two) {
            note(settings, "command", one.command(), two.command());
            note(settings, "args", one.args(), two.args());
            return settings;
        }
        ServerEndpoint.Remote one = mine == null ? null : mine.address();
        ServerEndpoint.Remote two = theirs == null ? null : theirs.address();
        if (mine != null && theirs != null) {
            note(settings, "url", Objects.toString(mine.url()), Objects.toString(theirs.url()));
        }
        if (one != null && two != null) {
            note(settings, "headers", one.headers(), two.headers());
            note(settings, "oauth", one.oauth(), two.oauth());
            note(settings, "headersHelper", one.headersHelper(), two.headersHelper());
        }
        return settings;
    }

    private static void note(List<String> settings, String name, Object one, Object other) {
        if (!one.equals(other)) {
            settings.add(name);
        }
    }
}
