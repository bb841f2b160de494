package dev.fusebox.client.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.redaction.Redactor;
import dev.fusebox.platform.Platform;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;

/// A server that shows the token of a request after the token was replaced.
class ReplacedTokenTest {
    private static final String FORMER = "former-token-4711";

    private final AtomicReference<String> current = new AtomicReference<>(FORMER);

    private final RequestAuthorizer authorizer = new RequestAuthorizer() {
        @Override
        public Authorization authorize(LongSupplier left) {
            return new Authorization.Granted(List.of("Authorization", "Bearer " + current.get()), current.get());
        }

        @Override
        public Reaction rejected(Authorization.Granted used, AuthRejection rejection, LongSupplier left) {
            return new Reaction.NotConcerned();
        }

        @Override
        public Redactor secrets() {
            return Redactor.of(List.of(current.get()));
        }
    };

    @Test
    void token_that_was_replaced_during_the_call_is_not_shown() throws Exception {
        RawServer.Script script = wire -> {
            wire.next();
            current.set("next-token-4712");
            String body = "cannot handle " + FORMER + " nor " + current.get();
            wire.write("HTTP/1.1 500 Internal Server Error\r\nContent-Type: text/plain\r\nContent-Length: "
                    + body.length() + "\r\n\r\n" + body);
        };
        try (RawServer server = RawServer.start(script);
                RecordingClient client = new RecordingClient(
                        OutboundHttpClient.open(Platform.system(), OutboundSettings.defaults()),
                        HttpTarget.of(server.uri()),
                        authorizer)) {
            CallFailure failure = client.failure("tools/call", "{\"name\":\"echo\"}");
            assertThat(failure.message()).contains("HTTP 500", "cannot handle *** nor ***");
        }
    }
}
