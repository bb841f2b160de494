package dev.fusebox.gateway.crowd;

import dev.fusebox.client.Call;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Deadline;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.Promise;
import dev.fusebox.gateway.era.ClientSubscription;
import dev.fusebox.gateway.era.SubscriptionFilter;
import dev.fusebox.gateway.era.UpstreamSubscription;
import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.JsonView;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/// Tells clients what they want to hear, as long as they want to. Thread-safe; [#listen] blocks all that time.
final class Tidings {
    /// So long a client waits to be told what it hears of. What its servers have not granted by then it does not
    /// watch.
    private static final Duration FOR_THE_SLOW = Duration.ofSeconds(1);

    private final Platform platform;
    private final Audience audience;
    private final Menu menu;

    Tidings(Crowd crowd, Audience audience) {
        this.platform = crowd.platform();
        this.menu = crowd.menu();
        this.audience = audience;
    }

    Outcome listen(Call call, Addresses addresses) {
        JsonView asked = call.request().frame().path("params", "notifications");
        SubscriptionFilter filter = SubscriptionFilter.of(asked, JsonView.of(OwnAnswers.capabilities(menu)));
        ClientSubscription subscription =
                new ClientSubscription(call.request().id().json(), filter, call.caller());
        Map<String, Router.Route> routes = routes(addresses, filter.resources());
        audience.join(subscription, routes);
        Map<Member, UpstreamSubscription.Wish> wishes = wishes(routes);
        try {
            routes.keySet().retainAll(granted(routes, wishes));
            audience.join(subscription, routes);
            subscription.acknowledge(routes.keySet());
            call.deadline().await(new Promise<>(), platform);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        } finally {
            audience.leave(subscription);
            wishes.values().forEach(UpstreamSubscription.Wish::end);
        }
        return new Outcome.Failed(CallFailure.cancelled());
    }

    private static Map<String, Router.Route> routes(Addresses addresses, Set<String> shown) {
        Map<String, Router.Route> routes = new LinkedHashMap<>();
        for (String address : shown) {
            if (addresses.find(Kind.RESOURCES, address) instanceof Addresses.Found.At(Router.Route route)) {
                routes.put(address, route);
            }
        }
        return routes;
    }

    /// All addresses of a server in one step, and no server waits for another.
    private static Map<Member, UpstreamSubscription.Wish> wishes(Map<String, Router.Route> routes) {
        Map<Member, Set<String>> wanted = new LinkedHashMap<>();
        routes.values()
                .forEach(route -> wanted.computeIfAbsent(route.member(), member -> new LinkedHashSet<>())
                        .add(route.own()));
        Map<Member, UpstreamSubscription.Wish> wishes = new LinkedHashMap<>();
        wanted.forEach((member, own) ->
                wishes.put(member, member.upstreamSubscription().watch(own)));
        return wishes;
    }

    private Set<String> granted(Map<String, Router.Route> routes, Map<Member, UpstreamSubscription.Wish> wishes) {
        Deadline together = new Deadline(FOR_THE_SLOW, Duration.ZERO, platform.ticker());
        Map<Member, Set<String>> heard = new LinkedHashMap<>();
        wishes.forEach((member, wish) -> heard.put(member, wish.heard(together)));
        Set<String> granted = new LinkedHashSet<>();
        routes.forEach((shown, route) -> {
            if (heard.getOrDefault(route.member(), Set.of()).contains(route.own())) {
                granted.add(shown);
            }
        });
        return granted;
    }
}
