package dev.fusebox.client;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/// Messages that were dropped.
class UnmatchedMessagesTest {
    @Test
    void how_many_there_were_is_said_if_there_were_any() {
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
