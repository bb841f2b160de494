package dev.fusebox.gateway.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.breaker.BreakerName;
import dev.fusebox.breaker.BreakerPolicy;
import dev.fusebox.breaker.Cooldown;
import dev.fusebox.breaker.Preset;
import dev.fusebox.breaker.State;
import dev.fusebox.breaker.TripRule;
import dev.fusebox.gateway.era.Words;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.testkit.ManualTime;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A server that dies whenever it is started, with the numbers of the presets `openab` and `metamcp`, which are
/// consecutive failures and a fixed cooldown.
@Tag("process")
@Timeout(120)
class ConnectFailureStoryTest {
    private static final String DIED = "server_crashed stdio-exit not_sent";
    private static final String REFUSED = "breaker_open stdio-exit not_sent";
    private static final Duration MOMENT = Duration.ofMillis(1);

    @TempDir
    private Path folder = Path.of("");

    private final ManualTime time = new ManualTime();

    private Street street(Patient patient, BreakerPolicy policy) {
        return Street.plan()
                .breakersIn(time)
                .house(patient.house("sick").lane(lane -> lane.with(policy)))
                .open();
    }

    private static State state(Street street) {
        return street.state("sick");
    }

    /// As often as it takes, and not once less.
    private static void trip(Guest guest, Street street, int failures) {
        for (int i = 0; i < failures; i++) {
            assertThat(state(street)).as("after %d failures", i).isEqualTo(State.CLOSED);
            assertThat(guest.failure("sick__echo")).isEqualTo(DIED);
        }
        assertThat(state(street)).isEqualTo(State.OPEN);
    }

    private static String retryAfterMs(JsonView refused) {
        return Words.at(refused, "result", "_meta", "fusebox/error", "retryAfterMs")
                .json();
    }

    @Test
    void three_failures_open_it_a_minute_later_one_call_finds_out_and_closes_it() {
        Patient patient = new Patient(folder);
        try (Street street = street(patient, Preset.OPENAB.policy())) {
            Guest guest = Guest.of(street);
            trip(guest, street, 3);
            assertThat(patient.starts()).isEqualTo(3);

            JsonView refused = guest.call("sick__echo", "{}");
            assertThat(Words.kind(refused)).isEqualTo(REFUSED);
            assertThat(retryAfterMs(refused)).isEqualTo("60000");
            time.advance(Duration.ofSeconds(60).minus(MOMENT));
            assertThat(retryAfterMs(guest.call("sick__echo", "{}"))).isEqualTo("1");
            assertThat(patient.starts()).as("refused without contact").isEqualTo(3);

            time.advance(MOMENT);
            patient.heal();
            assertThat(Words.said(guest.call("sick__echo", "{\"text\":\"well\"}")))
                    .isEqualTo("well");
            assertThat(patient.starts()).isEqualTo(4);
            assertThat(state(street)).isEqualTo(State.CLOSED);
        }
    }

    @Test
    void a_probe_that_fails_opens_it_again_for_the_same_time() {
        Patient patient = new Patient(folder);
        try (Street street = street(patient, Preset.OPENAB.policy())) {
            Guest guest = Guest.of(street);
            trip(guest, street, 3);
            for (int outage = 1; outage <= 3; outage++) {
                time.advance(Duration.ofSeconds(60));
                assertThat(guest.failure("sick__echo")).isEqualTo(DIED);
                assertThat(state(street)).isEqualTo(State.OPEN);
                assertThat(guest.failure("sick__echo")).isEqualTo(REFUSED);
                assertThat(patient.starts()).isEqualTo(3 + outage);
                assertThat(street.breaker(BreakerName.of("sick")).cooldown()).isEqualTo(Duration.ofSeconds(60));
            }
        }
    }

    @Test
    void five_failures_and_half_a_minute_are_the_other_preset() {
        Patient patient = new Patient(folder);
        try (Street street = street(patient, Preset.METAMCP.policy())) {
            Guest guest = Guest.of(street);
            trip(guest, street, 5);
            assertThat(retryAfterMs(guest.call("sick__echo", "{}"))).isEqualTo("30000");
            time.advance(Duration.ofSeconds(30).minus(MOMENT));
            assertThat(guest.failure("sick__echo")).isEqualTo(REFUSED);
            time.advance(MOMENT);
            assertThat(guest.failure("sick__echo")).as("the probe").isEqualTo(DIED);
            assertThat(retryAfterMs(guest.call("sick__echo", "{}"))).isEqualTo("30000");
        }
    }

    @Test
    void three_failures_and_a_minute_are_what_an_operator_may_write() {
        Patient patient = new Patient(folder);
        BreakerPolicy written =
                Preset.METAMCP.policy().with(new TripRule.Consecutive(3)).with(Cooldown.fixed(Duration.ofSeconds(60)));
        try (Street street = street(patient, written)) {
            Guest guest = Guest.of(street);
            trip(guest, street, 3);
            time.advance(Duration.ofSeconds(60).minus(MOMENT));
            assertThat(guest.failure("sick__echo")).isEqualTo(REFUSED);
            time.advance(MOMENT);
            patient.heal();
            assertThat(Words.said(guest.call("sick__echo", "{\"text\":\"well\"}")))
                    .isEqualTo("well");
        }
    }

    @Test
    void every_further_outage_lasts_longer_if_nobody_says_otherwise() {
        Patient patient = new Patient(folder);
        try (Street street = street(patient, BreakerPolicy.defaults())) {
            Guest guest = Guest.of(street);
            trip(guest, street, 5);
            Duration before = Duration.ZERO;
            for (int outage = 1; outage <= 5; outage++) {
                Duration cooldown = street.breaker(BreakerName.of("sick")).cooldown();
                assertThat(cooldown).isGreaterThanOrEqualTo(before);
                assertThat(cooldown).isLessThanOrEqualTo(Duration.ofSeconds(330));
                before = cooldown;
                time.advance(cooldown);
                assertThat(guest.failure("sick__echo")).isEqualTo(DIED);
            }
            assertThat(before).isGreaterThan(Duration.ofSeconds(200));
            assertThat(patient.starts()).isEqualTo(10);
        }
    }
}
