package dev.fusebox.breaker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Exceptions that misbehave when somebody looks at them. */
class HostileExceptionTest {
    /** How an exception can spoil its own text. */
    @NullUnmarked
    enum Spoilt {
        NO_TEXT {
            @Override
            String text() {
                return null;
            }
        },
        AN_EXCEPTION {
            @Override
            String text() {
                throw new IllegalStateException("no text");
            }
        },
        ITSELF_WITHIN_ITSELF {
            @Override
            @SuppressWarnings("InfiniteRecursion") // as a cause that is its own cause prints itself
            String text() {
                return "within " + text();
            }
        },
        AN_ERROR {
            @Override
            String text() {
                throw new AssertionError("no text");
            }
        };

        abstract String text();
    }

    private static final class Unprintable extends IOException {
        private static final long serialVersionUID = 1;
        private final Spoilt how;

        Unprintable(Spoilt how) {
            this.how = how;
        }

        @Override
        @SuppressWarnings("OverrideThrowableToString") // some exceptions do, and that is what is tested
        public String toString() {
            return how.text();
        }
    }

    @ParameterizedTest
    @EnumSource(Spoilt.class)
    void an_exception_that_cannot_be_printed_passes_through_and_counts(Spoilt how) {
        Rig rig = Rig.consecutive(1);

        assertThat(arrived(rig.breaker, new Unprintable(how))).isEqualTo(Arrived.THE_SAME);

        assertThat(rig.state()).isEqualTo(State.OPEN);
        assertThat(lastCause(rig)).isEqualTo(Unprintable.class.getName());
    }

    @ParameterizedTest
    @EnumSource(Spoilt.class)
    void a_probe_whose_exception_cannot_be_printed_opens_the_breaker_again(Spoilt how) {
        Rig rig = Rig.dueForTests(HalfOpen.ONE_PROBE);

        assertThat(arrived(rig.breaker, new Unprintable(how))).isEqualTo(Arrived.THE_SAME);

        assertThat(rig.path()).containsExactly(State.OPEN, State.HALF_OPEN, State.OPEN);
    }

    @ParameterizedTest
    @EnumSource(Spoilt.class)
    void a_future_ends_with_an_exception_that_cannot_be_printed(Spoilt how) {
        Rig rig = Rig.consecutive(1);

        CompletableFuture<String> answer =
                rig.breaker.callAsync(() -> CompletableFuture.failedFuture(new Unprintable(how)));

        assertThat(answer.isCompletedExceptionally()).isTrue();
        assertThat(rig.state()).isEqualTo(State.OPEN);
    }

    private static String lastCause(Rig rig) {
        Failure last = rig.breaker.snapshot().lastFailure();
        return last == null ? "" : String.valueOf(last.cause());
    }

    /** What arrived; not the exception itself, because a failed assertion would print it. */
    private enum Arrived {
        NOTHING,
        THE_SAME,
        ANOTHER
    }

    @SuppressWarnings("ReferenceEquality") // the very exception has to pass
    private static Arrived arrived(CircuitBreaker breaker, Unprintable thrown) {
        try {
            breaker.call(() -> {
                throw thrown;
            });
            return Arrived.NOTHING;
        } catch (Throwable caught) {
            return caught == thrown ? Arrived.THE_SAME : Arrived.ANOTHER;
        }
    }
}
