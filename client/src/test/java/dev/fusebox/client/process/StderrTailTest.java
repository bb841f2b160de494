package dev.fusebox.client.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.redaction.Redactor;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The tail of a stream whose beginning is lost.
class StderrTailTest {
    private static final int LIMIT = 4 << 10;
    private static final String SECRET = "0123456789abcdefghijklmnopqrstuvwxyz".repeat(40);

    /// With many line breaks: each line is shorter than the minimum for a line of a multi-line secret.
    private static final String WRAPPED = Base64.getMimeEncoder(4, "\r\n".getBytes(StandardCharsets.US_ASCII))
            .encodeToString(SECRET.getBytes(StandardCharsets.UTF_8));

    private static final String AFTER = "\nall that came after\n";

    /// The secret loses its first characters, a few more each time, until nothing of it is left.
    @Test
    void rest_of_a_wrapped_secret_with_a_lost_beginning_is_hidden() {
        for (int lost = 1; lost < WRAPPED.length(); lost += 97) {
            StderrTail stderrTail = new StderrTail(LIMIT, Redactor.of(List.of(SECRET)));
            int filling = LIMIT - (WRAPPED.length() - lost) - AFTER.length();
            String rest =
                    AFTER + ("-".repeat(63) + "\n").repeat(filling / 64 + 1).substring(0, filling);
            byte[] bytes = (WRAPPED + rest).getBytes(StandardCharsets.UTF_8);
            stderrTail.append(bytes, bytes.length);

            assertThat(String.join("", stderrTail.lines(10_000, 1 << 20)).replace("all that came after", ""))
                    .as("after %d letters", lost)
                    .matches("[-*]*");
        }
    }
}
