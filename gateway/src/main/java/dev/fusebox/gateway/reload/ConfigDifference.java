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

/// What is different between two configurations. Immutable. Order, comments and white space are no difference,
/// and neither is a default that is written down.
///
/// @param servers what becomes of each server of the later one
/// @param removed servers that only the earlier one has
/// @param live keys for all servers that have an effect at once
/// @param later keys for all servers that have an effect at the next start only
public record ConfigDifference(
        Map<String, Change> servers, List<String> removed, List<String> live, List<String> later) {
    /// What becomes of one server.
    public enum Change {
        NONE,
        /// Its calls keep to other rules; how it is reached is the same.
        RULES,
        /// It is reached otherwise, or is another program.
        REACH,
        /// There was none of its name.
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
        boolean isReachedAlike = one.state().equals(other.state())
                && one.presence().isAlike(other.presence())
                && one.eras().equals(other.eras())
                && one.times().connect().equals(other.times().connect())
                && (!isRemote(other) || isDialledAlike(one, other))
                && isLimitedAlike(before.limits(), after.limits(), isRemote(other));
        if (!isReachedAlike) {
            return Change.REACH;
        }
        boolean isRuledAlike = one.rules().equals(other.rules())
                && one.times().call().equals(other.times().call())
                && CallRules.pipeline(before, one).equals(CallRules.pipeline(after, other))
                && before.settings(one).equals(after.settings(other));
        return isRuledAlike ? Change.NONE : Change.RULES;
    }

    /// What a short `timeoutMs` makes shorter is nothing to a process, which nobody dials.
    private static boolean isDialledAlike(ServerConfig one, ServerConfig other) {
        return one.times().tcpConnect().equals(other.times().tcpConnect());
    }

    private static boolean isLimitedAlike(LimitConfig one, LimitConfig other, boolean isRemote) {
        return one.frameBytes() == other.frameBytes()
                && one.depth() == other.depth()
                && (isRemote || one.stuckWrite().equals(other.stuckWrite()));
    }

    /// A process has its limits with it; lines to other machines have those of the gateway.
    private static boolean isRemote(ServerConfig server) {
        return server.state() instanceof ServerState.Ready(ServerEndpoint endpoint)
                && !(endpoint instanceof ServerEndpoint.Stdio);
    }

    public Change of(String server) {
        return servers.getOrDefault(server, Change.NONE);
    }

    public boolean isNothing() {
        return removed.isEmpty()
                && live.isEmpty()
                && later.isEmpty()
                && serversThat(Change.NONE).size() == servers.size();
    }

    /// The servers of which this becomes, in the order of the file.
    public List<String> serversThat(Change change) {
        return servers.entrySet().stream()
                .filter(entry -> entry.getValue() == change)
                .map(Map.Entry::getKey)
                .toList();
    }

    /// For people, on one line.
    @Override
    public String toString() {
        String words = Stream.of(
                        part("added", serversThat(Change.ADDED)),
                        part("changed", serversThat(Change.REACH)),
                        part("other rules for", serversThat(Change.RULES)),
                        part("removed", removed),
                        part("for all", live),
                        part("only at the next start", later))
                .filter(text -> !text.isEmpty())
                .collect(Collectors.joining("; "));
        return words.isEmpty() ? "nothing has changed" : words;
    }

    private static String part(String what, List<String> names) {
        return names.isEmpty() ? "" : what + " " + String.join(", ", names);
    }
}
