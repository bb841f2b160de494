package dev.fusebox.gateway.crowd;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Who is there. Immutable.
///
/// @param members those that can be called, in the order of the configuration
/// @param absent those that cannot
/// @param teams those that consist of others
record Present(Map<String, Member> members, Map<String, Absent> absent, Map<String, Team> teams) {
    Present {
        members = Collections.unmodifiableMap(members);
        absent = Map.copyOf(absent);
        teams = Collections.unmodifiableMap(teams);
    }

    static Present of(Map<String, Member> members, Map<String, Absent> absent, Map<String, List<String>> teams) {
        Map<String, Team> made = new LinkedHashMap<>();
        teams.forEach((id, replicas) -> made.put(
                id,
                new Team(
                        id,
                        replicas.stream()
                                .filter(members::containsKey)
                                .map(members::get)
                                .toList(),
                        replicas.stream()
                                .filter(absent::containsKey)
                                .map(absent::get)
                                .toList())));
        return new Present(members, absent, made);
    }
}
