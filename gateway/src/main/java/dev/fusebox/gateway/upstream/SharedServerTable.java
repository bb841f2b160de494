package dev.fusebox.gateway.upstream;

import dev.fusebox.gateway.result.ResultStore;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The servers of a gateway. Views in which the same server stands get one object for it, with one breaker and one
/// lifecycle, and so one process for all their clients. Thread-safe; nothing blocks.
public final class SharedServerTable {
    private final UpstreamContext upstreamContext;
    private final ResultStore resultStore;
    private final Map<UpstreamServer, Entry> entries = new LinkedHashMap<>();

    private static final class Entry {
        private @Nullable LaunchIdentity launch;
        private final int instance;

        Entry(@Nullable LaunchIdentity launch, int instance) {
            this.launch = launch;
            this.instance = instance;
        }
    }

    public SharedServerTable(UpstreamContext upstreamContext) {
        this.upstreamContext = upstreamContext;
        this.resultStore = new ResultStore(upstreamContext.platform(), upstreamContext.secrets());
    }

    /// What all its servers have in common.
    public UpstreamContext upstreamContext() {
        return upstreamContext;
    }

    /// Keeps what is cut off from their results.
    public ResultStore resultStore() {
        return resultStore;
    }

    /// The planned server, which now stands in this view as well.
    public synchronized UpstreamServer join(PlannedServer planned, ServerView view) {
        UpstreamServer known = find(planned.launch());
        if (known != null) {
            known.views().add(view);
            return known;
        }
        int instance = freeInstance(planned.id());
        UpstreamServer server =
                new UpstreamServer(upstreamContext, planned.spec().apply(instance), instance, view);
        entries.put(server, new Entry(planned.launch(), instance));
        return server;
    }

    private @Nullable UpstreamServer find(@Nullable LaunchIdentity launch) {
        if (launch == null) {
            return null;
        }
        return entries.entrySet().stream()
                .filter(entry -> launch.equals(entry.getValue().launch))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse(null);
    }

    private int freeInstance(String id) {
        List<Integer> taken = new ArrayList<>();
        entries.forEach((server, entry) -> {
            if (server.id().equals(id)) {
                taken.add(entry.instance);
            }
        });
        int instance = 1;
        while (taken.contains(instance)) {
            instance++;
        }
        return instance;
    }

    /// What a changed server of a view became. Immutable.
    ///
    /// @param server in its place
    /// @param leaving the generation to be drained; null if there is none
    public record Replaced(UpstreamServer server, @Nullable ServerGeneration leaving) {}

    /// Changes what makes a server the same in several views, where its process or connection stays. Otherwise a
    /// view that is opened later would get another server.
    ///
    /// @param launch null for a server that no views share
    public synchronized void identify(UpstreamServer server, @Nullable LaunchIdentity launch) {
        Entry entry = entries.get(server);
        if (entry != null) {
            entry.launch = launch;
        }
    }

    /// Replaces a server of a view that is reached differently now. One that stands only in this view and in others
    /// of the same origin, which change alike, keeps its history.
    public synchronized Replaced replace(UpstreamServer before, PlannedServer planned, ServerView view) {
        Entry entry = Objects.requireNonNull(entries.get(before), "a server of the table");
        if (planned.launch() != null && planned.launch().equals(entry.launch)) {
            return new Replaced(before, null);
        }
        if (find(planned.launch()) == null && before.views().areOf(view.origin())) {
            entry.launch = planned.launch();
            return new Replaced(before, before.reconfigure(planned.spec().apply(entry.instance)));
        }
        UpstreamServer next = join(planned, view);
        return new Replaced(next, leave(before, view));
    }

    /// Removes a server from a view; returns the generation to be drained if it stands in no other.
    public synchronized @Nullable ServerGeneration leave(UpstreamServer server, ServerView view) {
        if (server.views().remove(view)) {
            return null;
        }
        entries.remove(server);
        return server.leave();
    }

    /// Removes a server from a view, and closes it if it stands in no other.
    public void close(UpstreamServer server, ServerView view) {
        boolean isLast;
        synchronized (this) {
            isLast = !server.views().remove(view);
            if (isLast) {
                entries.remove(server);
            }
        }
        if (isLast) {
            server.close();
        }
    }

    /// How the server differs from others of its name.
    public synchronized SameNameServers sameName(UpstreamServer server) {
        Entry own = entries.get(server);
        LaunchIdentity launch = own == null ? null : own.launch;
        if (own == null || launch == null || !hasClients(server)) {
            return SameNameServers.NONE;
        }
        boolean isOnePerFolder = false;
        UpstreamServer first = server;
        int lowest = own.instance;
        LaunchDifference difference = null;
        for (Map.Entry<UpstreamServer, Entry> each : entries.entrySet()) {
            UpstreamServer other = each.getKey();
            LaunchIdentity theirs = each.getValue().launch;
            if (theirs == null || other.equals(server) || !other.id().equals(server.id()) || !hasClients(other)) {
                continue;
            }
            LaunchDifference found = launch.differenceFrom(theirs);
            isOnePerFolder |= found.isClientFolderOnly();
            if (each.getValue().instance < lowest) {
                first = other;
                lowest = each.getValue().instance;
                difference = found;
            }
        }
        return new SameNameServers(isOnePerFolder, difference == null ? null : first.label(), difference);
    }

    private static boolean hasClients(UpstreamServer server) {
        return !server.views().all().isEmpty();
    }

    /// All servers.
    public synchronized List<UpstreamServer> all() {
        return List.copyOf(entries.keySet());
    }
}
