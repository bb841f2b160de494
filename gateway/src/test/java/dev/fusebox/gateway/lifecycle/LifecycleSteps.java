package dev.fusebox.gateway.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Delivery;
import dev.fusebox.client.ErrorId;
import dev.fusebox.client.Evidence;
import dev.fusebox.client.FailureCategory;
import dev.fusebox.config.LifecycleSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Drives the state machine of one server with a manual clock. For one thread.
abstract class LifecycleSteps {
    static final Duration SHORT = Duration.ofSeconds(2);

    LifecycleRules lifecycleRules = lifecycleRules(LifecycleSettings.usual(true));
    LifecycleState now = LifecycleState.FRESH;
    long at;
    final List<LifecycleEvent> events = new ArrayList<>();

    static LifecycleRules lifecycleRules(LifecycleSettings rules) {
        return new LifecycleRules(rules, nanos -> "08:23");
    }

    /// In the mode that rejects calls after too many crashes.
    void stopping() {
        lifecycleRules = lifecycleRules(
                LifecycleSettings.usual(true).with(new LifecycleSettings.Crashes(3, Duration.ofMinutes(5), true)));
    }

    void remote() {
        lifecycleRules = lifecycleRules(LifecycleSettings.usual(false));
    }

    void happen(LifecycleInput... inputs) {
        for (LifecycleInput input : inputs) {
            LifecycleRules.Step step = lifecycleRules.next(now, input, at, 0.5);
            now = step.lifecycleState();
            events.addAll(step.events());
        }
    }

    void later(Duration time) {
        at += time.toNanos();
    }

    /// Advances the clock to a scheduled action.
    void due(NextAction.Kind kind) {
        NextAction nextAction = Objects.requireNonNull(now.nextAction());
        assertThat(nextAction.kind()).isEqualTo(kind);
        at = Math.max(at, nextAction.at());
        happen(new LifecycleInput.TimerFired(nextAction));
    }

    static LifecycleInput connecting() {
        return new LifecycleInput.Connecting();
    }

    static LifecycleInput connected(long process) {
        return new LifecycleInput.Connected(process);
    }

    void online() {
        happen(
                connecting(),
                connected(1),
                new LifecycleInput.Read(now.history().restarts()),
                new LifecycleInput.ListsAnnounced());
        assertThat(now.status()).isEqualTo(ServerStatus.ONLINE);
    }

    static CallFailure failure(FailureCategory category, @Nullable Integer http) {
        ErrorId id = category == FailureCategory.STDIO_EXIT ? ErrorId.SERVER_EXITED : ErrorId.HTTP_ERROR;
        Evidence seen = http == null ? Evidence.NONE : Evidence.ofHttp(http, null);
        return new CallFailure(id, category, Delivery.UNKNOWN, "it went wrong", seen);
    }

    static LifecycleInput crash(Duration lived) {
        return new LifecycleInput.Ended(failure(FailureCategory.STDIO_EXIT, null), 1L, lived);
    }

    LifecycleInput unread(CallFailure failure) {
        return new LifecycleInput.ListsFailed(now.history().restarts(), failure);
    }

    List<ServerStatus> walk() {
        return events.stream()
                .filter(LifecycleEvent.StatusChanged.class::isInstance)
                .map(event -> ((LifecycleEvent.StatusChanged) event).status())
                .toList();
    }

    List<LifecycleEvent> others() {
        return events.stream()
                .filter(event -> !(event instanceof LifecycleEvent.StatusChanged))
                .toList();
    }

    long wait(NextAction.Kind kind) {
        NextAction nextAction = Objects.requireNonNull(now.nextAction());
        assertThat(nextAction.kind()).isEqualTo(kind);
        return Duration.ofNanos(nextAction.at() - at).toMillis();
    }
}
