package dev.fusebox.client;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/// Messages that were dropped.
class StraysTest {
    @Test
    void how_many_there_were_is_said_if_there_were_any() {
        Strays strays = new Strays("files");
        assertThat(strays.sentence()).isNull();

        strays.add();
        assertThat(strays.sentence()).startsWith("files: 1 message dropped");
        strays.add();
        assertThat(strays.sentence()).startsWith("files: 2 messages dropped");
        strays.end();
        assertThat(strays.count()).isEqualTo(2);
    }
}
