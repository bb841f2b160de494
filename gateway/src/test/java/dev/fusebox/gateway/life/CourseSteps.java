package dev.fusebox.gateway.life;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Delivery;
import dev.fusebox.client.ErrorCode;
import dev.fusebox.client.Evidence;
import dev.fusebox.client.FailureCategory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Lets happen to one server what a test says, on a clock moved by hand. For one thread.
abstract class CourseSteps {
    static final Duration SHORT = Duration.ofSeconds(2);

    Course course = course(LifeRules.usual(true));
    Standing now = Standing.FRESH;
    long at;
    final List<LifeEvent> events = new ArrayList<>();

    static Course course(LifeRules rules) {
        return new Course(rules, nanos -> "08:23");
    }

    /// Calls are refused after too many crashes.
    void stopping() {
        course = course(LifeRules.usual(true).with(new LifeRules.Crashes(3, Duration.ofMinutes(5), true)));
    }

    void remote() {
        course = course(LifeRules.usual(false));
    }

    void happen(Happening... happenings) {
        for (Happening happening : happenings) {
            Course.Step step = course.next(now, happening, at, 0.5);
            now = step.standing();
            events.addAll(step.events());
        }
    }

    void later(Duration time) {
        at += time.toNanos();
    }

    /// Until what is due.
    void due(Due.What what) {
        Due due = Objects.requireNonNull(now.due());
        assertThat(due.what()).isEqualTo(what);
        at = Math.max(at, due.at());
        happen(new Happening.Fell(due));
    }

    static Happening connecting() {
        return new Happening.Connecting();
    }

    static Happening connected(long process) {
        return new Happening.Connected(process);
    }

    void online() {
        happen(connecting(), connected(1), new Happening.Read(now.history().restarts()), new Happening.Told());
        assertThat(now.status()).isEqualTo(Status.ONLINE);
    }

    static CallFailure failure(FailureCategory category, @Nullable Integer http) {
        ErrorCode code = category == FailureCategory.STDIO_EXIT ? ErrorCode.SERVER_CRASHED : ErrorCode.HTTP_ERROR;
        Evidence seen = http == null ? Evidence.NONE : Evidence.ofHttp(http, null);
        return new CallFailure(code, category, Delivery.UNKNOWN, "it went wrong", seen);
    }

    static Happening crash(Duration lived) {
        return new Happening.Ended(failure(FailureCategory.STDIO_EXIT, null), 1L, lived);
    }

    Happening unread(CallFailure failure) {
        return new Happening.Unread(now.history().restarts(), failure);
    }

    List<Status> walk() {
        return events.stream()
                .filter(LifeEvent.StatusChanged.class::isInstance)
                .map(event -> ((LifeEvent.StatusChanged) event).status())
                .toList();
    }

    List<LifeEvent> others() {
        return events.stream()
                .filter(event -> !(event instanceof LifeEvent.StatusChanged))
                .toList();
    }

    long wait(Due.What what) {
        Due due = Objects.requireNonNull(now.due());
        assertThat(due.what()).isEqualTo(what);
        return Duration.ofNanos(due.at() - at).toMillis();
    }
}
