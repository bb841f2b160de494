package dev.fusebox.gateway.reload;

import dev.fusebox.config.Configuration;
import dev.fusebox.config.LimitConfig;
import dev.fusebox.config.ServerConfig;
import dev.fusebox.config.ServerEndpoint;
import dev.fusebox.config.ServerState;
import dev.fusebox.gateway.settings.CallRules;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The difference between two configurations. Immutable. Order, comments and white space are no difference, and
/// neither is an explicitly written default.
///
/// @param servers the change of each server of the later one
/// @param removed servers that only the earlier one has
/// @param live changed keys for all servers that apply at once
/// @param later changed keys for all servers that apply only after a restart
public record ConfigDifference(
        Map<String, Change> servers, List<String> removed, List<String> live, List<String> later) {
    /// The change of one server.
    public enum Change {
        NONE,
        /// Its settings for calls changed; its endpoint is the same.
        RULES,
        /// Its endpoint or its command changed.
        REACH,
        /// It is new.
        ADDED
    }

    public ConfigDifference {
        servers = Collections.unmodifiableMap(new LinkedHashMap<>(servers));
        removed = List.copyOf(removed);
        live = List.copyOf(live);
        later = List.copyOf(later);
    }

    public static ConfigDifference between(Configuration before, Configuration after) {
        Map<String, ServerConfig> known = byId(before);
        Map<String, Change> servers = new LinkedHashMap<>();
        after.servers().forEach(server -> {
            ServerConfig earlier = known.remove(server.id());
            Change change = earlier == null ? Change.ADDED : change(before, earlier, after, server);
            servers.put(server.id(), change);
        });
        return new ConfigDifference(
                servers,
                List.copyOf(known.keySet()),
                GlobalKey.changed(before, after, GlobalKey.Effect.LIVE),
                GlobalKey.changed(before, after, GlobalKey.Effect.NEXT_START));
    }

    private static Map<String, ServerConfig> byId(Configuration configuration) {
        Map<String, ServerConfig> byId = new LinkedHashMap<>();
        configuration.servers().forEach(server -> byId.put(server.id(), server));
        return byId;
    }

    private static Change change(Configuration before, ServerConfig one, Configuration after, ServerConfig other) {
        boolean hasEqualEndpoint = one.state().equals(other.state())
                && one.presence().isAlike(other.presence())
                && one.eras().equals(other.eras())
                && one.times().connect().equals(other.times().connect())
                && (!isRemote(other) || hasEqualConnectTimeouts(one, other))
                && hasEqualMessageLimits(before.limits(), after.limits(), hasQueue(other));
        if (!hasEqualEndpoint) {
            return Change.REACH;
        }
        boolean hasEqualCallSettings = one.rules().equals(other.rules())
                && one.times().call().equals(other.times().call())
                && CallRules.pipeline(before, one).equals(CallRules.pipeline(after, other))
                && before.settings(one).equals(after.settings(other));
        return hasEqualCallSettings ? Change.NONE : Change.RULES;
    }

    /// A shorter `timeoutMs` also shortens the connect timeout, which does not matter to a process.
    private static boolean hasEqualConnectTimeouts(ServerConfig one, ServerConfig other) {
        return one.times().tcpConnect().equals(other.times().tcpConnect());
    }

    private static boolean hasEqualMessageLimits(LimitConfig one, LimitConfig other, boolean hasQueue) {
        return one.frameBytes() == other.frameBytes()
                && one.depth() == other.depth()
                && (!hasQueue || one.stuckWrite().equals(other.stuckWrite()));
    }

    /// Whether messages to the server are queued. A request over HTTP is written by its caller.
    private static boolean hasQueue(ServerConfig server) {
        return !(server.state() instanceof ServerState.Ready(ServerEndpoint endpoint)
                && (endpoint instanceof ServerEndpoint.Http || endpoint instanceof ServerEndpoint.Sse));
    }

    /// A process has its own limits; connections to other machines share those of the gateway.
    private static boolean isRemote(ServerConfig server) {
        return server.state() instanceof ServerState.Ready(ServerEndpoint endpoint)
                && !(endpoint instanceof ServerEndpoint.Stdio);
    }

    public Change of(String server) {
        return servers.getOrDefault(server, Change.NONE);
    }

    public boolean isEmpty() {
        return removed.isEmpty()
                && live.isEmpty()
                && later.isEmpty()
                && serversThat(Change.NONE).size() == servers.size();
    }

    /// The servers with this change, in the order of the file.
    public List<String> serversThat(Change change) {
        return servers.entrySet().stream()
                .filter(entry -> entry.getValue() == change)
                .map(Map.Entry::getKey)
                .toList();
    }

    /// One line for people.
    @Override
    public String toString() {
        String words = Stream.of(
                        part("added", serversThat(Change.ADDED)),
                        part("changed", serversThat(Change.REACH)),
                        part("new settings for", serversThat(Change.RULES)),
                        part("removed", removed),
                        part("global", live),
                        part("after a restart", later))
                .filter(text -> !text.isEmpty())
                .collect(Collectors.joining("; "));
        return words.isEmpty() ? "no changes" : words;
    }

    private static String part(String what, List<String> names) {
        return names.isEmpty() ? "" : what + " " + String.join(", ", names);
    }
}
