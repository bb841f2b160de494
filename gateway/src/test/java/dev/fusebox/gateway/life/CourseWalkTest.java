package dev.fusebox.gateway.life;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Delivery;
import dev.fusebox.client.ErrorCode;
import dev.fusebox.client.Evidence;
import dev.fusebox.client.FailureCategory;
import java.time.Duration;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Whatever happens in whatever order, also what cannot: no move that the table does not have, and no state
/// without an exit.
///
/// Over five seconds on a busy machine: a quarter of the walks does not see every status.
class CourseWalkTest {
    private static final int WALKS = 20_000;
    private static final int STEPS = 40;

    private static Course course(LifeRules rules) {
        return new Course(rules, nanos -> "08:23");
    }

    private static CallFailure failure(Random random) {
        FailureCategory[] categories = FailureCategory.values();
        FailureCategory category = categories[random.nextInt(categories.length)];
        ErrorCode code = random.nextInt(5) == 0 ? ErrorCode.SESSION_LOST : ErrorCode.INTERNAL;
        return new CallFailure(code, category, Delivery.UNKNOWN, "went wrong", Evidence.NONE);
    }

    private static Happening any(Random random, Standing now) {
        Due due = now.due();
        return switch (random.nextInt(14)) {
            case 0, 1 -> new Happening.Connecting();
            case 2 -> new Happening.Connected(random.nextLong(5));
            case 3 -> new Happening.Failed(failure(random));
            case 4 -> new Happening.Ended(failure(random), 1L, Duration.ofSeconds(random.nextInt(120)));
            case 5 -> new Happening.Answered(Happening.By.CALL);
            case 6 -> new Happening.CallFailed(failure(random));
            case 7 -> new Happening.Silent();
            case 8 -> new Happening.Read(now.history().restarts() - random.nextInt(2));
            case 9 -> new Happening.Told();
            case 10 -> new Happening.Unread(now.history().restarts() - random.nextInt(2), failure(random));
            case 11 ->
                random.nextInt(10) == 0
                        ? new Happening.Commanded("asked for", random.nextBoolean())
                        : new Happening.Told();
            case 12 -> new Happening.Governed();
            default -> due == null ? new Happening.Told() : new Happening.Fell(due);
        };
    }

    /// What may follow what, as users are told. A command is heard in any status.
    private static final Map<Status, Set<Status>> TABLE = Map.of(
            Status.COMMAND_RECEIVED, EnumSet.of(Status.CONNECTING),
            Status.CONNECTING,
                    EnumSet.of(
                            Status.DISCOVERING_TOOLS,
                            Status.OFFLINE,
                            Status.ERROR,
                            Status.REQUIRES_REAUTH,
                            Status.RESTARTING),
            Status.DISCOVERING_TOOLS,
                    EnumSet.of(Status.SYNCING_TOOLS, Status.ERROR, Status.OFFLINE, Status.REQUIRES_REAUTH),
            Status.SYNCING_TOOLS, EnumSet.of(Status.ONLINE),
            Status.ONLINE,
                    EnumSet.of(Status.IDLE, Status.OFFLINE, Status.ERROR, Status.REQUIRES_REAUTH, Status.RESTARTING),
            Status.IDLE, EnumSet.of(Status.CONNECTING),
            Status.RESTARTING, EnumSet.of(Status.CONNECTING, Status.ERROR, Status.PERMANENTLY_FAILED),
            Status.OFFLINE, EnumSet.of(Status.CONNECTING),
            Status.ERROR, EnumSet.of(Status.CONNECTING),
            Status.REQUIRES_REAUTH, EnumSet.of(Status.CONNECTING));

    private final Map<Status, Set<Status>> moves = new EnumMap<>(Status.class);

    @Test
    void every_move_of_the_table_is_made_and_none_beside_it_and_no_status_is_without_a_way_out() {
        LifeRules process = LifeRules.usual(true);
        walk(process);
        LifeRules stopping = process.with(new LifeRules.Crashes(3, Duration.ofMinutes(5), true));
        walk(stopping);
        walk(process.with(process.polls().ofKept()));
        walk(process.withoutRestarts());
        walk(LifeRules.usual(false));
        TABLE.forEach(
                (from, next) -> assertThat(moves.get(from)).as("from %s", from).containsAll(next));
        // One that was given up is tried again.
        assertThat(moves.get(Status.PERMANENTLY_FAILED)).contains(Status.RESTARTING, Status.COMMAND_RECEIVED);
        moves.remove(Status.COMMAND_RECEIVED);
        moves.forEach((from, next) -> assertThat(next).as("from %s", from).contains(Status.COMMAND_RECEIVED));
    }

    private void walk(LifeRules rules) {
        Course course = course(rules);
        Set<Status> seen = EnumSet.noneOf(Status.class);
        for (int seed = 0; seed < WALKS; seed++) {
            Random random = new Random(seed);
            Standing now = Standing.FRESH;
            long at = random.nextLong();
            for (int step = 0; step < STEPS; step++) {
                at += Duration.ofSeconds(random.nextInt(100)).toNanos();
                Happening happening = any(random, now);
                Course.Step next = course.next(now, happening, at, random.nextDouble());
                check(now, happening, next, seed);
                checkDue(rules, next.standing(), seed);
                now = next.standing();
                seen.add(now.status());
            }
        }
        Set<Status> expected = EnumSet.allOf(Status.class);
        expected.removeAll(List.of(Status.AWAITING_USER_CONFIG, Status.PROVISIONING, Status.DISABLED));
        if (!rules.crashes().stops()) {
            expected.remove(Status.PERMANENTLY_FAILED);
        }
        if (!rules.restarts()) {
            // Its calls start it again.
            seen.add(Status.RESTARTING);
        }
        assertThat(seen).isEqualTo(expected);
    }

    /// A server elsewhere that is down is asked again by somebody, and one that nobody needs is left alone.
    private static void checkDue(LifeRules rules, Standing after, int seed) {
        Due due = after.due();
        boolean isDown = after.status() == Status.OFFLINE || after.status() == Status.ERROR;
        boolean isLookedAfter = !rules.isProcess() || !rules.polls().ping().isZero();
        if (isDown && isLookedAfter) {
            assertThat(due).as("seed %d: %s", seed, after).isNotNull();
        }
        if (after.status() == Status.IDLE && after.live() == 0) {
            assertThat(due == null || due.what() == Due.What.REREAD)
                    .as("seed %d: %s", seed, after)
                    .isTrue();
        }
    }

    private void check(Standing before, Happening happening, Course.Step step, int seed) {
        Standing after = step.standing();
        Status known = before.status();
        for (LifeEvent event : step.events()) {
            if (event instanceof LifeEvent.StatusChanged(Status previous, Status status, String message)) {
                assertThat(previous).as("seed %d: %s", seed, happening).isEqualTo(known);
                assertThat(previous.mayBecome(status))
                        .as("%s to %s", previous, status)
                        .isTrue();
                moves.computeIfAbsent(previous, from -> EnumSet.noneOf(Status.class))
                        .add(status);
                known = status;
            }
        }
        assertThat(after.status()).as("seed %d: told", seed).isEqualTo(known);
        assertThat(after.live()).isNotNegative();
        boolean isPatient = after.status() == Status.RESTARTING
                || after.status() == Status.PERMANENTLY_FAILED
                || after.status() == Status.COMMAND_RECEIVED;
        if (isPatient) {
            assertThat(Objects.requireNonNull(after.due()).what())
                    .as("seed %d: %s in %s", seed, happening, before)
                    .isIn(Due.What.RESTART, Due.What.SELF_PROBE);
        }
    }
}
