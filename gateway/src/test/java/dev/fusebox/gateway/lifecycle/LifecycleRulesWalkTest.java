package dev.fusebox.gateway.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Delivery;
import dev.fusebox.client.ErrorId;
import dev.fusebox.client.Evidence;
import dev.fusebox.client.FailureCategory;
import dev.fusebox.config.LifecycleSettings;
import java.time.Duration;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Random inputs in any order, including impossible ones: no transition outside the table, and no state without an
/// exit.
///
/// Over five seconds on a busy machine: a quarter of the walks does not reach every status.
class LifecycleRulesWalkTest {
    private static final int WALKS = 20_000;
    private static final int STEPS = 40;

    private static LifecycleRules lifecycleRules(LifecycleSettings rules) {
        return new LifecycleRules(rules, nanos -> "08:23");
    }

    private static CallFailure failure(Random random) {
        FailureCategory[] categories = FailureCategory.values();
        FailureCategory category = categories[random.nextInt(categories.length)];
        ErrorId id = random.nextInt(5) == 0 ? ErrorId.SESSION_LOST : ErrorId.INTERNAL;
        return new CallFailure(id, category, Delivery.UNKNOWN, "went wrong", Evidence.NONE);
    }

    private static LifecycleInput any(Random random, LifecycleState now) {
        NextAction nextAction = now.nextAction();
        return switch (random.nextInt(14)) {
            case 0, 1 -> new LifecycleInput.Connecting();
            case 2 -> new LifecycleInput.Connected(random.nextLong(5));
            case 3 -> new LifecycleInput.Failed(failure(random));
            case 4 -> new LifecycleInput.Ended(failure(random), 1L, Duration.ofSeconds(random.nextInt(120)));
            case 5 -> new LifecycleInput.Answered(LifecycleInput.Detector.CALL);
            case 6 -> new LifecycleInput.CallFailed(failure(random));
            case 7 -> new LifecycleInput.Silent();
            case 8 -> new LifecycleInput.Read(now.history().restarts() - random.nextInt(2));
            case 9 -> new LifecycleInput.ListsAnnounced();
            case 10 -> new LifecycleInput.ListsFailed(now.history().restarts() - random.nextInt(2), failure(random));
            case 11 ->
                random.nextInt(10) == 0
                        ? new LifecycleInput.OperatorRequested("asked for", random.nextBoolean())
                        : new LifecycleInput.ListsAnnounced();
            case 12 -> new LifecycleInput.SettingsChanged();
            default ->
                nextAction == null ? new LifecycleInput.ListsAnnounced() : new LifecycleInput.TimerFired(nextAction);
        };
    }

    /// The allowed transitions as announced to users. A command is allowed in any status.
    private static final Map<ServerStatus, Set<ServerStatus>> TABLE = Map.of(
            ServerStatus.COMMAND_RECEIVED, EnumSet.of(ServerStatus.CONNECTING),
            ServerStatus.CONNECTING,
                    EnumSet.of(
                            ServerStatus.DISCOVERING_TOOLS,
                            ServerStatus.OFFLINE,
                            ServerStatus.ERROR,
                            ServerStatus.REQUIRES_REAUTH,
                            ServerStatus.RESTARTING),
            ServerStatus.DISCOVERING_TOOLS,
                    EnumSet.of(
                            ServerStatus.SYNCING_TOOLS,
                            ServerStatus.ERROR,
                            ServerStatus.OFFLINE,
                            ServerStatus.REQUIRES_REAUTH),
            ServerStatus.SYNCING_TOOLS, EnumSet.of(ServerStatus.ONLINE),
            ServerStatus.ONLINE,
                    EnumSet.of(
                            ServerStatus.IDLE,
                            ServerStatus.OFFLINE,
                            ServerStatus.ERROR,
                            ServerStatus.REQUIRES_REAUTH,
                            ServerStatus.RESTARTING),
            ServerStatus.IDLE, EnumSet.of(ServerStatus.CONNECTING),
            ServerStatus.RESTARTING,
                    EnumSet.of(ServerStatus.CONNECTING, ServerStatus.ERROR, ServerStatus.PERMANENTLY_FAILED),
            ServerStatus.OFFLINE, EnumSet.of(ServerStatus.CONNECTING),
            ServerStatus.ERROR, EnumSet.of(ServerStatus.CONNECTING),
            ServerStatus.REQUIRES_REAUTH, EnumSet.of(ServerStatus.CONNECTING));

    private final Map<ServerStatus, Set<ServerStatus>> moves = new EnumMap<>(ServerStatus.class);

    @Test
    void every_allowed_transition_occurs_and_no_other_and_every_status_has_an_exit() {
        LifecycleSettings process = LifecycleSettings.usual(true);
        walk(process);
        LifecycleSettings stopping = process.with(new LifecycleSettings.Crashes(3, Duration.ofMinutes(5), true));
        walk(stopping);
        walk(process.with(process.polls().ofKept()));
        walk(process.withoutRestarts());
        walk(LifecycleSettings.usual(false));
        TABLE.forEach(
                (from, next) -> assertThat(moves.get(from)).as("from %s", from).containsAll(next));
        // A permanently failed server is probed.
        assertThat(moves.get(ServerStatus.PERMANENTLY_FAILED))
                .contains(ServerStatus.RESTARTING, ServerStatus.COMMAND_RECEIVED);
        moves.remove(ServerStatus.COMMAND_RECEIVED);
        moves.forEach((from, next) -> assertThat(next).as("from %s", from).contains(ServerStatus.COMMAND_RECEIVED));
    }

    private void walk(LifecycleSettings rules) {
        LifecycleRules lifecycleRules = lifecycleRules(rules);
        Set<ServerStatus> seen = EnumSet.noneOf(ServerStatus.class);
        for (int seed = 0; seed < WALKS; seed++) {
            Random random = new Random(seed);
            LifecycleState now = LifecycleState.FRESH;
            long at = random.nextLong();
            for (int step = 0; step < STEPS; step++) {
                at += Duration.ofSeconds(random.nextInt(100)).toNanos();
                LifecycleInput input = any(random, now);
                LifecycleRules.Step next = lifecycleRules.next(now, input, at, random.nextDouble());
                check(now, input, next, seed);
                checkDue(rules, next.lifecycleState(), seed);
                now = next.lifecycleState();
                seen.add(now.status());
            }
        }
        Set<ServerStatus> expected = EnumSet.allOf(ServerStatus.class);
        expected.removeAll(
                List.of(ServerStatus.AWAITING_USER_CONFIG, ServerStatus.PROVISIONING, ServerStatus.DISABLED));
        if (!rules.crashes().stops()) {
            expected.remove(ServerStatus.PERMANENTLY_FAILED);
        }
        if (!rules.restarts()) {
            // Its calls restart it.
            seen.add(ServerStatus.RESTARTING);
        }
        assertThat(seen).isEqualTo(expected);
    }

    /// A remote server that is down has a scheduled check, and one that is not needed has none.
    private static void checkDue(LifecycleSettings rules, LifecycleState after, int seed) {
        NextAction nextAction = after.nextAction();
        boolean isDown = after.status() == ServerStatus.OFFLINE || after.status() == ServerStatus.ERROR;
        boolean isLookedAfter = !rules.isProcess() || !rules.polls().ping().isZero();
        if (isDown && isLookedAfter) {
            assertThat(nextAction).as("seed %d: %s", seed, after).isNotNull();
        }
        if (after.status() == ServerStatus.IDLE && after.live() == 0) {
            assertThat(nextAction == null || nextAction.kind() == NextAction.Kind.REREAD)
                    .as("seed %d: %s", seed, after)
                    .isTrue();
        }
    }

    private void check(LifecycleState before, LifecycleInput input, LifecycleRules.Step step, int seed) {
        LifecycleState after = step.lifecycleState();
        ServerStatus known = before.status();
        for (LifecycleEvent event : step.events()) {
            if (event
                    instanceof
                    LifecycleEvent.StatusChanged(ServerStatus previous, ServerStatus status, String message)) {
                assertThat(previous).as("seed %d: %s", seed, input).isEqualTo(known);
                assertThat(previous.canBecome(status))
                        .as("%s to %s", previous, status)
                        .isTrue();
                moves.computeIfAbsent(previous, from -> EnumSet.noneOf(ServerStatus.class))
                        .add(status);
                known = status;
            }
        }
        assertThat(after.status()).as("seed %d: told", seed).isEqualTo(known);
        assertThat(after.live()).isNotNegative();
        boolean isPatient = after.status() == ServerStatus.RESTARTING
                || after.status() == ServerStatus.PERMANENTLY_FAILED
                || after.status() == ServerStatus.COMMAND_RECEIVED;
        if (isPatient) {
            assertThat(Objects.requireNonNull(after.nextAction()).kind())
                    .as("seed %d: %s in %s", seed, input, before)
                    .isIn(NextAction.Kind.RESTART, NextAction.Kind.SELF_PROBE);
        }
    }
}
