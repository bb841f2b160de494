package dev.fusebox.gateway.crowd;

import dev.fusebox.client.Arrival;
import dev.fusebox.client.Call;
import dev.fusebox.client.Fault;
import dev.fusebox.client.Outcome;
import dev.fusebox.gateway.stateless.Filter;
import dev.fusebox.gateway.stateless.Subscription;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.world.World;
import java.util.LinkedHashMap;
import java.util.Map;

/// Tells clients what they want to hear, as long as they want to. Thread-safe; [#listen] blocks all that time.
final class Listeners {
    private final World world;
    private final Audience audience;
    private final Addresses addresses;

    Listeners(World world, Audience audience, Addresses addresses) {
        this.world = world;
        this.audience = audience;
        this.addresses = addresses;
    }

    Outcome listen(Call call) {
        JsonView asked = call.request().frame().path("params", "notifications");
        Filter filter = Filter.of(asked, JsonView.of(Answers.capabilities()));
        Subscription subscription = new Subscription(call.request().id().json(), filter, call.caller());
        Map<String, Router.Route> watched = new LinkedHashMap<>();
        audience.join(subscription);
        try {
            for (String address : filter.resources()) {
                watch(address, call, watched);
            }
            subscription.acknowledge(watched.keySet());
            call.patience().await(new Arrival<>(), world);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        } finally {
            audience.leave(subscription);
            watched.values().forEach(route -> route.member().watched().leave(route.own(), call.patience()));
        }
        return new Outcome.Failed(Fault.cancelled());
    }

    private void watch(String address, Call call, Map<String, Router.Route> watched) {
        if (addresses.find(Kind.RESOURCES, address) instanceof Addresses.Found.At(Router.Route route)
                && route.member().watched().watch(route.own(), call.patience())) {
            watched.put(address, route);
        }
    }
}
