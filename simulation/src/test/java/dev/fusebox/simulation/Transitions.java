package dev.fusebox.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.breaker.BreakerEvent.StateChange;
import dev.fusebox.breaker.CircuitBreaker;
import dev.fusebox.breaker.State;
import java.util.ArrayList;
import java.util.List;

/// The transitions that a breaker has announced; they must be a chain without gaps that ends in the breaker's
/// state.
final class Transitions {
    private final CircuitBreaker breaker;
    private final List<StateChange> told = new ArrayList<>();

    Transitions(CircuitBreaker breaker) {
        this.breaker = breaker;
        breaker.on(StateChange.class, told::add);
    }

    void check() {
        State state = State.CLOSED;
        long number = 0;
        for (StateChange change : told) {
            assertThat(change.transition()).as("number of %s", change).isEqualTo(++number);
            assertThat(change.from()).as("beginning of %s", change).isEqualTo(state);
            state = change.to();
        }
        assertThat(breaker.state()).isEqualTo(state);
        assertThat(breaker.snapshot().transition()).isEqualTo(number);
    }

    long count(State to) {
        return told.stream().filter(change -> change.to() == to).count();
    }
}
