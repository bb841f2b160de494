package dev.fusebox.gateway.routing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.fixtures.server.Era;
import dev.fusebox.gateway.era.HttpWire;
import dev.fusebox.gateway.era.Messages;
import dev.fusebox.gateway.era.SingleServerHarness;
import dev.fusebox.protocol.JsonView;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// One server among many asks its client, and gets back what it gave it to keep.
@Tag("process")
@Timeout(120)
class QuestionsOfOneTest {
    private static final String TOOL = "test_input_required_result_multi_round";
    private static final String NAME = "{\"step1\":{\"action\":\"accept\",\"content\":{\"name\":\"Ada\"}}}";
    private static final String COLOR = "{\"step2\":{\"action\":\"accept\",\"content\":{\"color\":\"red\"}}}";

    private static GatewayHarness two() {
        return GatewayHarness.plan()
                .server("one", SingleServerHarness.script(Era.MODERN))
                .server("other", SingleServerHarness.script(Era.MODERN))
                .open();
    }

    private static String refusal(JsonView answer) {
        assertThat(Messages.at(answer, "error", "code").json()).isEqualTo("-32602");
        return Messages.text(answer, "error", "message");
    }

    @Test
    void a_stateless_client_goes_through_all_rounds_of_one_server_among_many() {
        try (GatewayHarness gateway = two();
                HttpWire client = gateway.client()) {
            JsonView first = client.answer(Messages.call(1, Messages.ABLE, "one__" + TOOL, "{}"));
            JsonView second = client.answer(Messages.again(2, "one__" + TOOL, Messages.ticket(first), NAME));
            JsonView third = client.answer(Messages.again(3, "one__" + TOOL, Messages.ticket(second), COLOR));
            assertThat(Messages.said(third)).contains("Ada").contains("red");
        }
    }

    @Test
    void what_one_server_gave_its_client_to_keep_reaches_no_other_and_no_server_if_it_was_changed() {
        try (GatewayHarness gateway = two();
                HttpWire client = gateway.client()) {
            JsonView first = client.answer(Messages.call(1, Messages.ABLE, "one__" + TOOL, "{}"));
            String state = Messages.ticket(first);
            assertThat(refusal(client.answer(Messages.again(2, "other__" + TOOL, state, NAME))))
                    .contains("requestState");
            assertThat(refusal(client.answer(Messages.again(3, "one__" + TOOL, "f" + state, NAME))))
                    .contains("requestState");
            assertThat(Messages.ticket(client.answer(Messages.again(4, "one__" + TOOL, state, NAME))))
                    .isNotEmpty();
        }
    }
}
