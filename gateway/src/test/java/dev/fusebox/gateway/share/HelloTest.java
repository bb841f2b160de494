package dev.fusebox.gateway.share;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/// What connectors and gateways of several releases read of each other.
class HelloTest {
    private static Hello of(String members) {
        String hello = "{\"link\":1,\"version\":\"1\",\"build\":\"b\",\"builtMs\":5,\"config\":\"/c\",\"folder\":\"/f\""
                + members + "}";
        return Objects.requireNonNull(Hello.read(hello.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void hello_is_read_as_it_was_written() {
        for (Hello hello : List.of(
                of(""), of(",\"profile\":\"p\",\"resumed\":true,\"formerProcess\":7,\"stateful\":[\"a\",\"b c\"]"))) {
            assertThat(Hello.read(hello.bytes())).isEqualTo(hello);
        }
    }

    @Test
    void connector_that_names_no_servers_has_lost_no_state() {
        assertThat(of(",\"resumed\":true").former()).isEqualTo(new FormerGateway(null, List.of()));
        assertThat(of(",\"resumed\":false,\"stateful\":[\"a\"]").former()).isNull();
        assertThat(of("").former()).isNull();
    }
}
