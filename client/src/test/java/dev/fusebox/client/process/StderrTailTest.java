package dev.fusebox.client.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.redaction.Redactor;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What is seen of a stream of which only the end is kept.
class StderrTailTest {
    private static final int LIMIT = 4 << 10;
    private static final String SECRET = "0123456789abcdefghijklmnopqrstuvwxyz".repeat(40);

    /// As many breaks as there are: each line is shorter than what counts as a line of a key.
    private static final String WRAPPED = Base64.getMimeEncoder(4, "\r\n".getBytes(StandardCharsets.US_ASCII))
            .encodeToString(SECRET.getBytes(StandardCharsets.UTF_8));

    private static final String AFTER = "\nall that came after\n";

    /// The secret loses its first letters, a few more each time, until nothing of it is left.
    @Test
    void of_a_secret_in_many_lines_whose_beginning_is_gone_no_end_is_seen() {
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
