package dev.fusebox.gateway.era;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.Call;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Caller;
import dev.fusebox.client.ClientMetadata;
import dev.fusebox.client.Deadline;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.Promise;
import dev.fusebox.protocol.JsonRpcFrames;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.Message;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Many that watch resources of one server over one subscription, which is opened anew when they want something
/// else.
@Timeout(60)
class WatchingTest {
    private static final Set<String> A = Set.of("test:a");
    private static final Set<String> B = Set.of("test:b");

    private final Server server = new Server();
    private final Ears listener = new Ears();
    private final UpstreamSubscription upstreamSubscription = new UpstreamSubscription(
            SingleServerHarness.PLATFORM, server::listen, () -> ClientMetadata.OF_GATEWAY, listener);

    /// A server in the process of the test, which knows of no address that it was told not to.
    private static final class Server {
        private final List<Heard> open = new CopyOnWriteArrayList<>();
        private final AtomicInteger listens = new AtomicInteger();
        private volatile Predicate<Set<String>> lets = asked -> true;
        private volatile Set<String> unknown = Set.of();
        private volatile Promise<Boolean> go = come();

        private static Promise<Boolean> come() {
            Promise<Boolean> come = new Promise<>();
            come.complete(true);
            return come;
        }

        /// A subscription that is open.
        private record Heard(Caller caller, Set<String> uris, Promise<Boolean> over) {}

        Outcome listen(Call call) {
            listens.incrementAndGet();
            JsonView asked = call.request().frame().path("params", "notifications", "resourceSubscriptions");
            Set<String> uris = asked == null ? Set.of() : strings(asked);
            try {
                boolean isLet = lets.test(uris) && call.deadline().await(go, SingleServerHarness.PLATFORM) != null;
                return isLet ? hear(call, uris) : new Outcome.Failed(CallFailure.cancelled());
            } catch (InterruptedException stopped) {
                throw new AssertionError(stopped);
            }
        }

        private static Set<String> strings(JsonView list) {
            return list.elements().stream().map(JsonView::string).collect(Collectors.toUnmodifiableSet());
        }

        private Outcome hear(Call call, Set<String> uris) throws InterruptedException {
            Heard heard = new Heard(call.caller(), uris, new Promise<>());
            List<String> granted = uris.stream()
                    .filter(uri -> !unknown.contains(uri))
                    .map(uri -> "\"" + uri + "\"")
                    .toList();
            // First: whoever has been acknowledged hears of every change.
            open.add(heard);
            call.caller()
                    .onNotification(notification(
                            "notifications/subscriptions/acknowledged",
                            "{\"notifications\":{\"resourceSubscriptions\":" + granted + "}}"));
            call.deadline().await(heard.over(), SingleServerHarness.PLATFORM);
            open.remove(heard);
            return new Outcome.Failed(CallFailure.cancelled());
        }

        void change(String uri) {
            open.stream()
                    .filter(heard -> heard.uris().contains(uri))
                    .forEach(heard -> heard.caller()
                            .onNotification(
                                    notification("notifications/resources/updated", "{\"uri\":\"" + uri + "\"}")));
        }

        private static Message.Notification notification(String method, String params) {
            return Message.Notification.of(JsonRpcFrames.notification(method, params));
        }
    }

    /// What came of it.
    private static final class Ears implements UpstreamSubscription.Listener {
        private final List<String> told = new CopyOnWriteArrayList<>();
        private final AtomicInteger begun = new AtomicInteger();

        @Override
        public int most() {
            return 100;
        }

        @Override
        public void told(Message.Notification notification) {
            told.add(Messages.text(notification.frame(), "params", "uri"));
        }

        @Override
        public void begun() {
            begun.incrementAndGet();
        }
    }

    private static Deadline deadline() {
        return new Deadline(SingleServerHarness.SOON, Duration.ZERO, SingleServerHarness.PLATFORM.ticker());
    }

    /// Waits until the one subscription that is left is for these.
    private void eventuallyHeard(Set<String> uris) {
        eventually(
                "one subscription is left, for %s".formatted(uris),
                () -> server.open.size() == 1 && server.open.getFirst().uris().equals(uris));
    }

    @Test
    void rejected_second_subscription_does_not_end_the_first() {
        assertThat(upstreamSubscription.watch(A).heard(deadline())).isEqualTo(A);
        server.lets = asked -> !asked.contains("test:b");
        assertThat(upstreamSubscription.watch(B).heard(deadline())).isEmpty();
        server.change("test:a");
        assertThat(listener.told).containsExactly("test:a");
        server.lets = asked -> true;
        assertThat(upstreamSubscription.watch(B).heard(deadline())).isEqualTo(B);
        eventuallyHeard(Set.of("test:a", "test:b"));
        upstreamSubscription.close();
    }

    @Test
    void only_what_the_server_has_granted_is_watched() {
        server.unknown = B;
        assertThat(upstreamSubscription.watch(Set.of("test:a", "test:b")).heard(deadline()))
                .isEqualTo(A);
        int before = server.listens.get();
        assertThat(upstreamSubscription.watch(A).heard(deadline())).isEqualTo(A);
        assertThat(server.listens.get()).as("it was heard already").isEqualTo(before);
        server.unknown = Set.of();
        assertThat(upstreamSubscription.watch(B).heard(deadline())).isEqualTo(B);
        upstreamSubscription.close();
    }

    @Test
    void a_resource_is_watched_until_the_last_has_left_also_if_another_joins_at_that_moment() {
        UpstreamSubscription.Watch first = upstreamSubscription.watch(A);
        assertThat(first.heard(deadline())).isEqualTo(A);
        server.go = new Promise<>();
        first.end();
        eventually(
                "the server is listened to again",
                () -> assertThat(server.listens.get()).isEqualTo(2));
        UpstreamSubscription.Watch second = upstreamSubscription.watch(A);
        server.go.complete(true);
        assertThat(second.heard(deadline())).isEqualTo(A);
        server.change("test:a");
        assertThat(listener.told).containsExactly("test:a");
        second.end();
        eventuallyHeard(Set.of());
        upstreamSubscription.close();
    }

    @Test
    void subscription_that_times_out_before_its_grant_has_no_effect() {
        server.go = new Promise<>();
        UpstreamSubscription.Watch hasty = upstreamSubscription.watch(A);
        assertThat(hasty.heard(
                        new Deadline(Duration.ofMillis(20), Duration.ZERO, SingleServerHarness.PLATFORM.ticker())))
                .isEmpty();
        server.go.complete(true);
        eventuallyHeard(Set.of());
        upstreamSubscription.close();
    }

    @Test
    void possibly_missed_update_is_sent_for_a_new_subscription_but_not_for_a_replaced_one() {
        upstreamSubscription.begin();
        eventually("listening has begun", () -> assertThat(listener.begun.get()).isEqualTo(1));
        assertThat(upstreamSubscription.watch(A).heard(deadline())).isEqualTo(A);
        eventuallyHeard(A);
        assertThat(listener.begun.get()).isEqualTo(1);
        server.open.getFirst().over().complete(true);
        eventually("listening has begun again", () -> {
            upstreamSubscription.resume();
            return listener.begun.get() == 2;
        });
        eventuallyHeard(A);
        upstreamSubscription.close();
    }

    @Test
    void what_the_server_does_not_grant_any_more_is_asked_for_again() {
        assertThat(upstreamSubscription.watch(A).heard(deadline())).isEqualTo(A);
        server.unknown = A;
        assertThat(upstreamSubscription.watch(B).heard(deadline())).isEqualTo(B);
        server.unknown = Set.of();
        int before = server.listens.get();
        // After five seconds.
        eventually("the server is listened to again", () -> {
            upstreamSubscription.resume();
            return server.listens.get() > before;
        });
        assertThat(upstreamSubscription.watch(A).heard(deadline())).isEqualTo(A);
        upstreamSubscription.close();
    }

    @Test
    void there_is_no_room_for_more_than_the_most_and_those_that_are_there_stay() {
        List<String> many = IntStream.range(0, 150).mapToObj(i -> "test:" + i).toList();
        assertThat(upstreamSubscription.watch(new LinkedHashSet<>(many)).heard(deadline()))
                .hasSize(100);
        assertThat(upstreamSubscription.watch(A).heard(deadline())).isEmpty();
        assertThat(upstreamSubscription.watch(Set.of("test:0")).heard(deadline()))
                .hasSize(1);
        upstreamSubscription.close();
    }
}
