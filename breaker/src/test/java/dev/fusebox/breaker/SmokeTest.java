package dev.fusebox.breaker;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SmokeTest {
    @Test
    void it_runs() {
        Ticker ticker = () -> 1;
        assertThat(ticker.nanos()).isEqualTo(1);
    }
}
