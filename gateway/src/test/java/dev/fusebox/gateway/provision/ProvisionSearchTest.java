package dev.fusebox.gateway.provision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

/// The confidence of a match.
class ProvisionSearchTest {
    @Test
    void score_with_even_odds_maps_to_half_and_order_stays() {
        assertThat(ProvisionSearch.byMeaning(0)).isZero();
        assertThat(ProvisionSearch.byMeaning(0.4)).isCloseTo(ProvisionSearch.LIKELY, within(1e-9));
        assertThat(ProvisionSearch.byMeaning(1)).isCloseTo(1, within(1e-9));
        double before = -1;
        for (int percent = 0; percent <= 100; percent++) {
            double now = ProvisionSearch.byMeaning(percent / 100.0);
            assertThat(now).isGreaterThan(before);
            before = now;
        }
    }
}
