package dev.fusebox.oauth.token;

import static dev.fusebox.oauth.token.Records.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.oauth.token.RefreshFailure.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TokenRulesTest {
    private static final RefreshFailure REFUSED = new RefreshFailure(Kind.REFUSED_FOR_NOW, "HTTP 503");
    private static final RefreshFailure LOST = new RefreshFailure(Kind.NO_ANSWER, "connection reset");

    private static TokenRecord intended(TokenRecord from) {
        return TokenRules.intend(from, NOW, "process 1");
    }

    private static TokenRecord failed(TokenRecord from, RefreshFailure failure) {
        return TokenRules.ended(intended(from), new RefreshAnswer.Failed(failure, null), NOW);
    }

    @Test
    void new_tokens_begin_the_next_generation() {
        Tokens next = new Tokens("access-2", "refresh-2", NOW, null, Set.of("read"));
        TokenRecord renewed = TokenRules.ended(intended(Records.ready()), new RefreshAnswer.Renewed(next), NOW);
        assertThat(renewed.generation()).isEqualTo(2);
        assertThat(renewed.state()).isEqualTo(new TokenState.Ready());
        assertThat(renewed.tokens()).isEqualTo(next);
    }

    @Test
    void answer_without_refresh_token_or_scopes_keeps_those_before() {
        Tokens next = new Tokens("access-2", null, NOW, null, Set.of());
        TokenRecord renewed = TokenRules.ended(intended(Records.ready()), new RefreshAnswer.Renewed(next), NOW);
        assertThat(renewed.tokens().refresh()).isEqualTo("refresh-1");
        assertThat(renewed.tokens().scopes()).containsExactly("read");
    }

    @Test
    void failure_keeps_the_tokens_and_the_generation() {
        TokenRecord failed = failed(Records.ready(), REFUSED);
        assertThat(failed.tokens()).isEqualTo(Records.ready().tokens());
        assertThat(failed.generation()).isEqualTo(1);
        assertThat(TokenRules.next(failed, NOW)).isInstanceOf(TokenRules.Step.Pause.class);
        assertThat(TokenRules.next(failed, NOW.plusSeconds(1))).isEqualTo(new TokenRules.Step.Present());
    }

    @Test
    void pause_that_was_set_while_the_clock_was_ahead_is_over() {
        Instant ahead = NOW.plus(Duration.ofDays(2));
        TokenRecord failed = TokenRules.ended(
                TokenRules.intend(Records.ready(), ahead, "process 1"), new RefreshAnswer.Failed(REFUSED, null), ahead);
        assertThat(TokenRules.next(failed, ahead)).isInstanceOf(TokenRules.Step.Pause.class);
        assertThat(TokenRules.next(failed, NOW)).isEqualTo(new TokenRules.Step.Present());
    }

    @ParameterizedTest
    @CsvSource({"1,1", "2,2", "3,4", "4,8", "6,32", "7,60", "30,60"})
    void pauses_double_up_to_a_minute(int failures, long seconds) {
        TokenRecord failed = Records.ready();
        for (int i = 0; i < failures; i++) {
            failed = failed(failed, REFUSED);
        }
        assertThat(TokenRules.next(failed, NOW))
                .isEqualTo(new TokenRules.Step.Pause(NOW.plusSeconds(seconds), REFUSED));
    }

    @ParameterizedTest
    @CsvSource({"0,1", "30,30", "86400,300"})
    void requested_pause_counts_up_to_five_minutes(long requested, long seconds) {
        TokenRecord failed = TokenRules.ended(
                intended(Records.ready()), new RefreshAnswer.Failed(REFUSED, Duration.ofSeconds(requested)), NOW);
        assertThat(TokenRules.next(failed, NOW))
                .isEqualTo(new TokenRules.Step.Pause(NOW.plusSeconds(seconds), REFUSED));
    }

    @Test
    void lost_answer_requires_a_probe_before_the_token_is_presented_again() {
        TokenRecord lost = failed(Records.ready(), LOST);
        assertThat(TokenRules.next(lost, NOW.plusSeconds(1))).isEqualTo(new TokenRules.Step.Probe());
        TokenRecord silent = TokenRules.postponed(lost, LOST, NOW.plusSeconds(1));
        assertThat(TokenRules.next(silent, NOW.plusSeconds(3))).isEqualTo(new TokenRules.Step.Probe());
    }

    @Test
    void intent_of_a_dead_process_counts_as_a_lost_answer() {
        TokenRecord left = intended(Records.ready());
        assertThat(TokenRules.next(left, NOW)).isEqualTo(new TokenRules.Step.Probe());
        TokenRecord again = TokenRules.ended(intended(left), new RefreshAnswer.InvalidGrant(), NOW);
        assertThat(again.state()).isInstanceOf(TokenState.Rejected.class);
        assertThat(((TokenState.Rejected) again.state()).reason()).contains("had no answer");
    }

    @Test
    void invalid_grant_requires_a_login_and_says_why() {
        TokenRecord rejected = TokenRules.ended(intended(Records.ready()), new RefreshAnswer.InvalidGrant(), NOW);
        assertThat(TokenRules.next(rejected, NOW))
                .isEqualTo(new TokenRules.Step.Login(
                        "the authorization server rejected the refresh token (invalid_grant)"));
    }

    @Test
    void client_that_is_unknown_for_a_minute_requires_a_login() {
        RefreshAnswer unknown = new RefreshAnswer.ClientUnknown("unknown client");
        Instant now = NOW;
        TokenRecord refused = TokenRules.ended(intended(Records.ready()), unknown, now);
        while (refused.state() instanceof TokenState.Waiting waiting) {
            now = waiting.retryAt();
            assertThat(TokenRules.next(refused, now)).isEqualTo(new TokenRules.Step.Present());
            refused = TokenRules.ended(intended(refused), unknown, now);
        }
        assertThat(TokenRules.next(refused, now)).isEqualTo(new TokenRules.Step.Login("unknown client"));
        assertThat(Duration.between(NOW, now)).isBetween(Duration.ofMinutes(1), Duration.ofMinutes(2));
    }

    @Test
    void failures_before_do_not_count_as_answers_that_the_client_is_unknown() {
        RefreshAnswer down =
                new RefreshAnswer.Failed(new RefreshFailure(RefreshFailure.Kind.REFUSED_FOR_NOW, "HTTP 503"), null);
        RefreshAnswer unknown = new RefreshAnswer.ClientUnknown("unknown client");
        TokenRecord waiting = Records.ready();
        List<RefreshAnswer> six = Collections.nCopies(6, unknown);
        for (RefreshAnswer answer : Stream.of(Collections.nCopies(9, down), six, List.of(down), six)
                .flatMap(List::stream)
                .toList()) {
            waiting = TokenRules.ended(intended(waiting), answer, NOW);
            assertThat(waiting.state()).isInstanceOf(TokenState.Waiting.class);
        }
        TokenRecord over = TokenRules.ended(intended(waiting), unknown, NOW);
        assertThat(over.state()).isInstanceOf(TokenState.Rejected.class);
    }

    @Test
    void login_without_refresh_token_ends_with_its_access_token() {
        TokenRecord ready = Records.ready();
        TokenRecord without =
                new TokenRecord(ready.key(), ready.generation(), ready.grant(), Records.tokens(null), ready.state());
        assertThat(TokenRules.next(without, NOW)).isInstanceOf(TokenRules.Step.Login.class);
    }

    @Test
    void token_is_usable_until_shortly_before_its_expiry_and_refreshed_at_four_fifths() {
        Tokens hour = Records.tokens("refresh-1");
        assertThat(hour.isUsable(NOW.plus(Duration.ofMinutes(59)))).isTrue();
        assertThat(hour.isUsable(NOW.plus(Duration.ofMinutes(60)).minusSeconds(9)))
                .isFalse();
        assertThat(hour.refreshAt(0)).isEqualTo(NOW.plus(Duration.ofMinutes(48)));
        assertThat(hour.refreshAt(1)).isEqualTo(NOW.plus(Duration.ofMinutes(45)));
        Tokens unknown = new Tokens("access-1", null, NOW, null, Set.of());
        assertThat(unknown.isUsable(NOW.plus(Duration.ofDays(999)))).isTrue();
        assertThat(unknown.refreshAt(0)).isNull();
    }
}
