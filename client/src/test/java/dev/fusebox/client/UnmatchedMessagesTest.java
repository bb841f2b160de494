package dev.fusebox.client;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/// The count of dropped messages.
class UnmatchedMessagesTest {
    @Test
    void count_is_logged_if_it_is_not_zero() {
        UnmatchedMessages unmatchedMessages = new UnmatchedMessages("files");
        assertThat(unmatchedMessages.sentence()).isNull();

        unmatchedMessages.add();
        assertThat(unmatchedMessages.sentence()).startsWith("files: 1 message dropped");
        unmatchedMessages.add();
        assertThat(unmatchedMessages.sentence()).startsWith("files: 2 messages dropped");
        unmatchedMessages.end();
        assertThat(unmatchedMessages.count()).isEqualTo(2);
    }
}
