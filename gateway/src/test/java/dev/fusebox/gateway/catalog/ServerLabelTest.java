package dev.fusebox.gateway.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The labels of servers that have the same name.
class ServerLabelTest {
    @Test
    void further_servers_have_their_number_after_the_name() {
        assertThat(ServerLabel.of("files@2")).isEqualTo(new ServerLabel("files", 2));
        assertThat(ServerLabel.of("files@2").isFurther()).isTrue();
        assertThat(new ServerLabel("files", 12)).hasToString("files@12");
        assertThat(new ServerLabel("files", 1)).hasToString("files");
    }

    @ParameterizedTest
    @ValueSource(strings = {"files", "files@0", "files@", "@2", "a@b@2", "files@two", ""})
    void other_texts_are_names(String text) {
        assertThat(ServerLabel.of(text)).isEqualTo(new ServerLabel(text, 1));
        assertThat(ServerLabel.of(text).isFurther()).isFalse();
    }
}
