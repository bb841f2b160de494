package dev.fusebox.gateway.admin;

import dev.fusebox.client.resilience.FailureCounts;
import dev.fusebox.gateway.admin.ServerReport.Load;
import dev.fusebox.gateway.admin.ServerReport.PartState;
import dev.fusebox.gateway.admin.ServerReport.ServerError;
import dev.fusebox.gateway.pool.PoolSnapshot;
import dev.fusebox.gateway.upstream.LaunchDifference;
import dev.fusebox.gateway.upstream.ProcessSharing;
import dev.fusebox.gateway.upstream.SameNameServers;
import dev.fusebox.gateway.upstream.ServerSnapshot;
import dev.fusebox.protocol.JsonView;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/// Reports of servers for tests of the API.
final class ReportedServers {
    static final String NASTY = "<script>alert('x')</script>\u0007\u202e & \"";

    private static final ServerReport.History PAST =
            new ServerReport.History(new FailureCounts.Snapshot(3, 2, 1, 4), 5);

    private static final ServerReport.PoolState SLOTS = new ServerReport.PoolState(
            "processes", 1, new PoolSnapshot(20, 7, 6, 0, new PoolSnapshot.Totals(9, 8, 0, 2)));

    private static final LoginReport LOGIN = new LoginReport(
            true,
            new LoginReport.TokenReport(
                    "anna",
                    new TreeSet<>(Set.of("write", "read")),
                    Instant.parse("2026-11-29T08:00:00Z"),
                    "refresh token"),
            "HTTP 503",
            Map.of("delete", Set.of("admin")));

    private static final ProcessSharing SHARED = new ProcessSharing(3, List.of("ada", "ben"), List.of("sampling"));

    private static final SameNameServers DISTINCT =
            new SameNameServers(true, "mail", new LaunchDifference(List.of("PATH", "TOKEN"), List.of("args"), true));

    /// One server with everything that a report can have, and one with as little as possible.
    static List<ServerReport> all() {
        ServerError serverError = new ServerError("connect_failed", "connection refused", "connect-failed");
        List<PartState> states = List.of(new PartState("process", "running"));
        List<ServerSnapshot.Tool> tools = List.of(
                new ServerSnapshot.Tool("search", "jira__search", JsonView.of("{\"description\":\"finds tickets\"}")),
                new ServerSnapshot.Tool("make", "jira__make", JsonView.of("{}")));
        return List.of(
                new ServerReport(
                        "jira",
                        "online",
                        "well",
                        states,
                        null,
                        tools,
                        List.of(),
                        new Load(2, 1),
                        PAST,
                        SLOTS,
                        LOGIN,
                        new ServerSnapshot.Sharing("jira", List.of(SHARED), DISTINCT)),
                new ServerReport(
                        "mail",
                        "offline",
                        NASTY,
                        List.of(),
                        serverError,
                        List.of(),
                        List.of(),
                        null,
                        null,
                        null,
                        null,
                        ServerSnapshot.Sharing.none("mail")));
    }

    private ReportedServers() {}
}
