package dev.fusebox.gateway.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.Call;
import dev.fusebox.client.Caller;
import dev.fusebox.client.Deadline;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.Principal;
import dev.fusebox.gateway.era.Messages;
import dev.fusebox.platform.SecretIds;
import dev.fusebox.protocol.JsonRpcFrames;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import dev.fusebox.protocol.Message;
import dev.fusebox.testkit.ManualTime;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What a server gave a client to bring back comes back as it was, to that server, in time, or not at all.
class RequestStateSignerTest {
    private static final String CALL = "tools/call";

    private final ManualTime time = new ManualTime();
    private final AtomicInteger refused = new AtomicInteger();
    private final RequestStateSigner requestStateSigner = another();
    private final List<String> reached = new ArrayList<>();

    private RequestStateSigner another() {
        return new RequestStateSigner(time.platform().ticker(), SecretIds.system(), refused::incrementAndGet);
    }

    /// The answer to a request with these parameters by a server that gives this state.
    private JsonView through(RequestStateSigner by, String method, String params, String state) {
        Message.Request request =
                Message.Request.of(Messages.request(1, method, params).getBytes(StandardCharsets.UTF_8));
        Deadline deadline = new Deadline(
                Duration.ofMinutes(1), Duration.ZERO, time.platform().ticker());
        RequestStateSigner.Verified verified = by.verify(new Call(request, deadline, Caller.SILENT));
        Outcome outcome = verified.refusal() == null ? by.sign(verified, asking(verified, state)) : verified.refusal();
        assertThat(outcome).isInstanceOf(Outcome.Answered.class);
        return ((Outcome.Answered) outcome).answer().frame();
    }

    private Outcome asking(RequestStateSigner.Verified verified, String state) {
        Message.Request sent = verified.call().request();
        reached.add(String.valueOf(sent.params()));
        String result = "{\"resultType\":\"input_required\",\"requestState\":" + state + "}";
        return new Outcome.Answered(Message.Answer.of(JsonRpcFrames.result(sent.id(), result)));
    }

    /// What a client gets to bring back.
    private String given(String state) {
        String given = Messages.ticket(through(requestStateSigner, CALL, "{}", state));
        reached.clear();
        return given;
    }

    private static String bringing(String state) {
        return "{\"requestState\":" + JsonWriter.quoted(state) + "}";
    }

    private void assertRefused(JsonView answer) {
        assertThat(Messages.at(answer, "error", "code").json()).isEqualTo("-32602");
        assertThat(Messages.text(answer, "error", "message"))
                .contains("older than 10 minutes")
                .contains("repeat the request");
        assertThat(reached).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"abc\"", "\"a.b\\\"c\\u0000\\ud800 ä\"", "\"\"", "{\"no\":[\"text\"]}", "null"})
    void the_server_gets_its_state_back_as_it_wrote_it(String state) {
        String given = given(state);
        through(requestStateSigner, CALL, bringing(given), "\"next\"");
        assertThat(reached).containsExactly("{\"requestState\":" + state + "}");
    }

    @Test
    void altered_or_foreign_request_state_does_not_reach_the_server() {
        String given = given("\"mine\"");
        String foreign = given("\"yours\"");
        String mixed = given.substring(0, given.lastIndexOf('.')) + foreign.substring(foreign.lastIndexOf('.'));
        assertRefused(through(requestStateSigner, CALL, bringing(mixed), "1"));
        assertRefused(through(requestStateSigner, CALL, bringing("0" + given), "1"));
        assertRefused(through(requestStateSigner, CALL, bringing(given + "A"), "1"));
        assertRefused(through(requestStateSigner, CALL, bringing("mine"), "1"));
        assertRefused(through(requestStateSigner, CALL, "{\"requestState\":7}", "1"));
        assertRefused(through(another(), CALL, bringing(given), "1"));
        assertRefused(through(requestStateSigner, "resources/read", bringing(given), "1"));
    }

    @Test
    void request_state_of_one_principal_is_refused_for_another() {
        String params = bringing(given("\"mine\""));
        Message.Request request =
                Message.Request.of(Messages.request(1, CALL, params).getBytes(StandardCharsets.UTF_8));
        Deadline deadline = new Deadline(
                Duration.ofMinutes(1), Duration.ZERO, time.platform().ticker());
        Call owners = new Call(request, deadline, Caller.SILENT);
        Call foreign = owners.of(owners.client().of(new Principal("ada")));
        assertThat(requestStateSigner.verify(owners).refusal()).isNull();
        assertThat(requestStateSigner.verify(foreign).refusal()).isNotNull();
    }

    @Test
    void request_state_is_valid_for_ten_minutes() {
        String given = given("\"mine\"");
        time.advance(RequestStateSigner.LIFE);
        through(requestStateSigner, CALL, bringing(given), "1");
        through(requestStateSigner, CALL, bringing(given), "1");
        assertThat(reached).hasSize(2);
        reached.clear();
        time.advance(Duration.ofNanos(1));
        assertRefused(through(requestStateSigner, CALL, bringing(given), "1"));
    }

    @Test
    void what_is_no_question_passes_as_it_is() {
        String result = "{\"resultType\":\"complete\",\"requestState\":\"own words\"}";
        Message.Request request =
                Message.Request.of(Messages.request(1, CALL, "{}").getBytes(StandardCharsets.UTF_8));
        Deadline deadline = new Deadline(
                Duration.ofMinutes(1), Duration.ZERO, time.platform().ticker());
        Outcome answered = new Outcome.Answered(Message.Answer.of(JsonRpcFrames.result(request.id(), result)));
        RequestStateSigner.Verified verified = requestStateSigner.verify(new Call(request, deadline, Caller.SILENT));
        assertThat(requestStateSigner.sign(verified, answered)).isSameAs(answered);
    }
}
