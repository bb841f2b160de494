package dev.fusebox.examples;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CallFormsTest {
    @Test
    void every_form_passes_breaker_and_rejection_has_message() throws Exception {
        assertThat(Printed.linesOf(new CallForms()::run))
                .containsExactly(
                        "title of BZ-1234, 7 comments, title of BZ-1235",
                        "title of BZ-1236, sent: [a comment, another comment]",
                        "Circuit breaker 'jira' is open, forced by an operator: maintenance",
                        "Circuit breaker 'jira' is open: forced open by an operator (maintenance); do not retry, use"
                                + " another tool, or tell the user that it is unavailable.");
    }
}
