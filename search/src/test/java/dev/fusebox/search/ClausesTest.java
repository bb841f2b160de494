package dev.fusebox.search;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/// The parts of long queries.
class ClausesTest {
    @Test
    void steps_and_sentences_are_separated() {
        assertThat(Clauses.of("Find the invoice of May, then send it to the accountant."))
                .containsExactly("Find the invoice of May", "send it to the accountant.");
        assertThat(Clauses.of("We fly to Rome on Friday. Is it going to rain there? Book a room near the station"))
                .containsExactly(
                        "We fly to Rome on Friday.", "Is it going to rain there?", "Book a room near the station");
        assertThat(Clauses.of("read the file AND THEN count its words,\nafter that mail me the number"))
                .containsExactly("read the file", "count its words", "mail me the number");
    }

    @Test
    void single_clause_has_no_parts() {
        assertThat(Clauses.of("")).isEmpty();
        assertThat(Clauses.of("search and replace in files")).isEmpty();
        assertThat(Clauses.of("what is the weather in Rome?")).isEmpty();
        assertThat(Clauses.of("send mail. Now!"))
                .as("parts of one or two words say too little")
                .isEmpty();
        assertThat(Clauses.of("version 1.2.3 of example.com")).isEmpty();
    }

    @Test
    void hostile_length_costs_little() {
        assertThat(Clauses.of("do this thing. ".repeat(100_000))).hasSizeLessThanOrEqualTo(6);
        assertThat(Clauses.of(" ".repeat(1_000_000))).isEmpty();
        assertThat(Clauses.of("and then ".repeat(100_000))).isEmpty();
    }
}
