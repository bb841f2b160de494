package dev.fusebox.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The facts about all servers of a file that sections of other servers refer to. Immutable.
///
/// @param byId in the order of the file
record AllServers(Map<String, OtherServer> byId) {
    /// One of them. Immutable.
    ///
    /// @param isBacked whether it has a backup
    /// @param isGroup whether it is a replica set
    private record OtherServer(boolean isBacked, boolean isGroup) {
        static OtherServer of(JsonMember entry) {
            boolean isObject = entry.value().isObject();
            return new OtherServer(
                    isObject && entry.value().member(ServerSection.BACKUP.name()) != null,
                    isObject && entry.value().member(ServerSection.REPLICAS.name()) != null);
        }
    }

    static AllServers in(Map<String, JsonMember> entries) {
        Map<String, OtherServer> byId = new LinkedHashMap<>();
        entries.forEach(
                (written, entry) -> byId.putIfAbsent(ServerName.of(written).id(), OtherServer.of(entry)));
        return new AllServers(byId);
    }

    References references(ServerName self) {
        return new References(this, self);
    }

    /// The references of one server to others. Immutable.
    record References(AllServers all, ServerName self) {
        /// The id of the backup; null if it is invalid.
        @Nullable
        String backup(String written, SourceLocation location) {
            return found(written, location);
        }

        /// The ids of the replicas of a server. Errors are reported in its section.
        List<String> replicas(ConfigSection server) {
            for (ConfigKey<?> key : ServerSection.SECTION.keys()) {
                if (server.has(key) && !key.equals(ServerSection.REPLICAS) && !key.equals(ServerSection.DISABLED)) {
                    server.at(key).error("has no effect together with \"replicas\"; set it for each replica");
                }
            }
            List<String> found = new ArrayList<>();
            List<String> written = server.written(ServerSection.REPLICAS);
            for (String each : written == null ? List.<String>of() : written) {
                String id = found(each, server.at(ServerSection.REPLICAS));
                if (id != null && found.contains(id)) {
                    server.at(ServerSection.REPLICAS).error("names " + PrintableText.quoted(each) + " twice");
                } else if (id != null) {
                    found.add(id);
                }
            }
            return found;
        }

        /// A call is passed on at most once, so that the file shows which servers it may reach.
        private @Nullable String found(String written, SourceLocation location) {
            String id = ServerName.of(written).id();
            OtherServer other = all.byId().get(id);
            String name = PrintableText.quoted(written);
            if (other == null) {
                location.error(
                        "names " + name + ", which does not exist",
                        SpellingSuggestion.nearest(id, all.byId().keySet()));
            } else if (id.equals(self.id())) {
                location.error("names the server itself");
            } else if (other.isGroup()) {
                location.error("names " + name + ", which is itself a replica set; name one of its replicas");
            } else if (other.isBacked()) {
                location.error("names " + name + ", which has a backup itself; backups cannot be chained");
            } else {
                return id;
            }
            return null;
        }
    }
}
