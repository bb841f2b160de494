package dev.fusebox.gateway.era;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.ClientMetadata;
import dev.fusebox.protocol.Message;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What a request of the stateless era says about itself.
class RequestValidatorTest {
    private static @Nullable RequestRefusal withLevel(String level) {
        String more = ",\"" + ClientMetadata.LOG_LEVEL + "\":" + level;
        String request = Messages.request(1, "tools/list", Messages.params(Messages.PLAIN, more, ""));
        return RequestValidator.ofBody(Message.Request.of(request.getBytes(UTF_8)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"debug\"", "\"emergency\"", "null"})
    void a_level_of_the_log_may_be_named(String level) {
        assertThat(withLevel(level)).isNull();
    }

    /// Whoever asked for one of these heard everything.
    @ParameterizedTest
    @ValueSource(strings = {"\"loud\"", "\"DEBUG\"", "\"\"", "7", "{}"})
    void a_level_that_there_is_not_is_refused(String level) {
        RequestRefusal refusal = withLevel(level);

        assertThat(refusal).isNotNull().extracting(RequestRefusal::code).isEqualTo(-32_602);
        assertThat(refusal).extracting(RequestRefusal::message).asString().contains("logLevel", "debug");
    }
}
