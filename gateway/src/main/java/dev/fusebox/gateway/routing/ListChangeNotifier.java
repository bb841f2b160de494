package dev.fusebox.gateway.routing;

import dev.fusebox.client.Call;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.ClientMetadata;
import dev.fusebox.client.Deadline;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.Promise;
import dev.fusebox.gateway.catalog.CatalogKind;
import dev.fusebox.gateway.era.ClientSubscription;
import dev.fusebox.gateway.era.SubscriptionFilter;
import dev.fusebox.gateway.era.UpstreamSubscription;
import dev.fusebox.gateway.upstream.TaskWatch;
import dev.fusebox.gateway.upstream.UpstreamServer;
import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.JsonView;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The change notifications for subscribed clients. Thread-safe; [#listen] blocks as long as the subscription
/// lasts.
final class ListChangeNotifier {
    /// Longest wait for servers to grant resources before a subscription is acknowledged; a server may have to be
    /// started first. Resources that are not granted by then are not watched.
    private static final Duration GRANT_LIMIT = Duration.ofSeconds(5);

    private final Platform platform;
    private final ListeningClients listeningClients;
    private final UpstreamServers servers;
    private final TaskRequests taskRequests;

    ListChangeNotifier(UpstreamServers servers, TaskRequests taskRequests) {
        this.taskRequests = taskRequests;
        this.platform = servers.platform();
        this.servers = servers;
        this.listeningClients = servers.listeningClients();
    }

    Outcome listen(Call call, NameResolver resolver) {
        JsonView asked = call.request().frame().path("params", "notifications");
        Outcome refusal =
                asked == null || asked.member(SubscriptionFilter.TASK_IDS) == null ? null : TaskRequests.refusal(call);
        if (refusal != null) {
            return refusal;
        }
        SubscriptionFilter filter = SubscriptionFilter.of(
                        asked,
                        JsonView.of(
                                GatewayResponses.capabilities(servers.exposurePolicy(), servers.hasLimitedResults())))
                .withTasks(asked);
        ClientSubscription subscription =
                new ClientSubscription(call.request().id().json(), filter, call.caller());
        listeningClients.join(subscription, call.client(), Map.of());
        Map<UpstreamServer, UpstreamSubscription.Watch> wishes = Map.of();
        List<TaskWatch> taskWatches = taskRequests.watch(call.client(), filter.tasks(), subscription::forward);
        try {
            Map<String, Route> routes = awaitRoutes(call, resolver, filter.resources());
            listeningClients.join(subscription, call.client(), routes);
            wishes = wishes(call.client(), routes);
            routes.keySet().retainAll(granted(routes, wishes));
            listeningClients.join(subscription, call.client(), routes);
            subscription.acknowledge(routes.keySet(), granted(taskWatches));
            call.deadline().await(new Promise<>(), platform);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        } finally {
            listeningClients.leave(subscription);
            wishes.values().forEach(UpstreamSubscription.Watch::end);
            taskWatches.forEach(TaskWatch::end);
        }
        return new Outcome.Failed(CallFailure.cancelled());
    }

    /// The servers of the resources; waits for the lists of servers that have not been read yet.
    private Map<String, Route> awaitRoutes(Call call, NameResolver resolver, Set<String> shown)
            throws InterruptedException {
        Map<String, Route> known = routes(resolver, shown);
        if (known.size() == shown.size()) {
            return known;
        }
        servers.catalogWarmup().awaitListed(call.client(), FirstListWait.of(call));
        return routes(resolver, shown);
    }

    private static Map<String, Route> routes(NameResolver resolver, Set<String> shown) {
        Map<String, Route> routes = new LinkedHashMap<>();
        for (String address : shown) {
            if (resolver.find(CatalogKind.RESOURCES, address) instanceof NameResolver.Found.At(Route route)) {
                routes.put(address, route);
            }
        }
        return routes;
    }

    /// Subscribes all URIs of a server in one step, and no server waits for another.
    private static Map<UpstreamServer, UpstreamSubscription.Watch> wishes(
            ClientMetadata client, Map<String, Route> routes) {
        Map<UpstreamServer, Set<String>> wanted = new LinkedHashMap<>();
        routes.values()
                .forEach(route -> wanted.computeIfAbsent(route.upstreamServer(), server -> new LinkedHashSet<>())
                        .add(route.own()));
        Map<UpstreamServer, UpstreamSubscription.Watch> wishes = new LinkedHashMap<>();
        wanted.forEach((server, own) ->
                wishes.put(server, server.subscriptions().of(client).watch(own)));
        return wishes;
    }

    private Set<String> granted(Map<String, Route> routes, Map<UpstreamServer, UpstreamSubscription.Watch> wishes) {
        Deadline together = new Deadline(GRANT_LIMIT, Duration.ZERO, platform.ticker());
        Map<UpstreamServer, Set<String>> heard = new LinkedHashMap<>();
        wishes.forEach((server, wish) -> heard.put(server, wish.heard(together)));
        Set<String> granted = new LinkedHashSet<>();
        routes.forEach((shown, route) -> {
            if (heard.getOrDefault(route.upstreamServer(), Set.of()).contains(route.own())) {
                granted.add(shown);
            }
        });
        return granted;
    }

    private Set<String> granted(List<TaskWatch> watches) throws InterruptedException {
        Deadline together = new Deadline(GRANT_LIMIT, Duration.ZERO, platform.ticker());
        Set<String> granted = new LinkedHashSet<>();
        for (TaskWatch watch : watches) {
            granted.addAll(watch.granted(together));
        }
        return granted;
    }
}
