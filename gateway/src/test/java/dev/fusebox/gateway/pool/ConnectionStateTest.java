package dev.fusebox.gateway.pool;

import static dev.fusebox.gateway.pool.ConnectionState.ACTIVE;
import static dev.fusebox.gateway.pool.ConnectionState.CLOSED;
import static dev.fusebox.gateway.pool.ConnectionState.CONNECTING;
import static dev.fusebox.gateway.pool.ConnectionState.FAILED;
import static dev.fusebox.gateway.pool.ConnectionState.IDLE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// How one connection is, and what may come after it.
class ConnectionStateTest {
    private static final Borrower SOMEBODY = TestBorrower.called("one");

    @ParameterizedTest
    @EnumSource
    void only_what_is_in_the_table_may_follow(ConnectionState from) {
        Set<ConnectionState> next = switch (from) {
            case IDLE -> Set.of(CONNECTING, ACTIVE, CLOSED);
            case CONNECTING -> Set.of(ACTIVE, IDLE, FAILED, CLOSED);
            case ACTIVE -> Set.of(IDLE, FAILED, CLOSED);
            case FAILED -> Set.of(CONNECTING, CLOSED);
            case CLOSED -> Set.of();
        };
        for (ConnectionState to : ConnectionState.values()) {
            assertThat(from.canBecome(to)).as(from + " to " + to).isEqualTo(next.contains(to));
        }
    }

    /// What happens, letter by letter: begun, enter, leave, withdrawn, lost, closed.
    @ParameterizedTest
    @CsvSource({
        "'',CONNECTING",
        "b,IDLE",
        "be,ACTIVE",
        "bee,ACTIVE",
        "beel,ACTIVE",
        "beell,IDLE",
        "ebl,IDLE",
        "el,CONNECTING",
        "x,FAILED",
        "bx,CLOSED",
        "bex,FAILED",
        "bexl,FAILED",
        "bexlc,CLOSED",
        "bec,CLOSED",
        "becl,CLOSED",
        "bw,CLOSED",
        "bew,ACTIVE",
        "w,CONNECTING",
        "bcx,CLOSED",
        "cb,CLOSED"
    })
    void a_connection_is_what_happened_to_it(String happened, ConnectionState state) {
        PoolSlot slot = new PoolSlot(SOMEBODY, Priority.NEEDED, 0);
        happened.chars().forEach(event -> happen(slot, event));
        assertThat(slot.state()).isEqualTo(state);
    }

    private static void happen(PoolSlot slot, int event) {
        switch (event) {
            case 'b' -> slot.begin(0);
            case 'e' -> slot.enter();
            case 'l' -> slot.leave();
            case 'w' -> slot.tryClose();
            case 'x' -> slot.lose();
            case 'c' -> slot.close();
            default -> throw new AssertionError(event);
        }
    }

    @Test
    void an_illegal_move_is_a_bug_and_throws() {
        PoolSlot slot = new PoolSlot(SOMEBODY, Priority.NEEDED, 0);
        slot.begin(0);
        assertThatThrownBy(() -> slot.leave()).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void call_on_a_closing_connection_moves_to_another() {
        PoolSlot slot = new PoolSlot(SOMEBODY, Priority.NEEDED, 0);
        slot.begin(0);
        assertThat(slot.tryClose()).isTrue();
        assertThat(slot.enter()).isFalse();
        assertThat(slot.isWithdrawn()).isTrue();
    }

    @Test
    void only_the_last_call_to_leave_is_the_last() {
        PoolSlot slot = new PoolSlot(SOMEBODY, Priority.NEEDED, 0);
        slot.begin(0);
        slot.enter();
        slot.enter();
        assertThat(slot.leave()).isFalse();
        assertThat(slot.tryClose()).isFalse();
        assertThat(slot.leave()).isTrue();
    }
}
