package dev.fusebox.gateway.provision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

/// How sure a find is.
class ProvisionSearchTest {
    @Test
    void what_is_as_often_right_as_wrong_is_as_likely_as_not_and_order_stays() {
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
