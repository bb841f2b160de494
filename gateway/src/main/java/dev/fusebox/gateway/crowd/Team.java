package dev.fusebox.gateway.crowd;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.ErrorCode;
import dev.fusebox.gateway.lifecycle.ServerHealth;
import dev.fusebox.gateway.lifecycle.ServerStatus;
import dev.fusebox.platform.FuseboxCommand;
import java.util.List;
import java.util.stream.Collectors;

/// Servers that are the same, called by one name. Immutable; who of them can be called may be nobody.
///
/// @param id the name
/// @param members those of them that can be called as they are configured, in the order of the configuration
/// @param missing the others
record Team(String id, List<Member> members, List<Absent> missing) {
    Team {
        members = List.copyOf(members);
        missing = List.copyOf(missing);
    }

    /// Whether any of them has ever said what it offers.
    boolean isKnown() {
        return members.stream().anyMatch(Member::isKnown);
    }

    /// Whether any of them has said it itself, since the gateway started.
    boolean isLive() {
        return members.stream().anyMatch(Member::isLive);
    }

    /// Why it cannot be called, if it has no members.
    CallFailure deserted() {
        if (isSwitchedOff()) {
            String names = missing.stream().map(Absent::id).collect(Collectors.joining(", "));
            String first = missing.getFirst().id();
            return CallFailure.policy(
                    ErrorCode.SERVER_DISABLED,
                    "all replicas of " + id + " are disabled (" + names + "); `"
                            + FuseboxCommand.onFile("enable", first) + "` brings one back");
        }
        return CallFailure.policy(
                ErrorCode.CONNECT_FAILED, "none of the replicas of " + id + " can be called as they are configured");
    }

    private boolean isSwitchedOff() {
        return !missing.isEmpty() && missing.stream().allMatch(each -> each.status() == ServerStatus.DISABLED);
    }

    /// As it is seen from outside.
    ///
    /// @param tools of all servers
    Sight sight(List<Catalog.Entry> tools) {
        if (members.isEmpty()) {
            return Sight.of(new Absent(id, deserted(), isSwitchedOff() ? ServerStatus.DISABLED : ServerStatus.ERROR));
        }
        List<Sight.Tool> own = tools.stream()
                .filter(entry -> entry.server().equals(id))
                .map(entry -> Tooling.seen(entry.item(), entry.shown()))
                .toList();
        return new Sight(id, null, null, isKnown(), null, health(), own, List.of());
    }

    /// That of the member that is best off.
    private ServerHealth health() {
        List<Member> ready = members.stream()
                .filter(each -> each.isHealthy() && !each.health().status().isDown())
                .toList();
        List<ServerHealth> those =
                (ready.isEmpty() ? members : ready).stream().map(Member::health).toList();
        ServerHealth best = those.stream()
                .filter(each -> each.status() == ServerStatus.ONLINE)
                .findFirst()
                .orElse(those.getFirst());
        int live = members.stream().mapToInt(each -> each.health().live()).sum();
        String message = ready.size() + " of " + members.size() + " replicas can be called";
        return new ServerHealth(id, best.status(), message, false, live, ready.isEmpty() ? best.lastFailure() : null);
    }
}
