package dev.fusebox.gateway.crowd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.process.ChildSpec;
import dev.fusebox.gateway.stateless.Gate;
import dev.fusebox.gateway.stateless.Words;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.testkit.server.Era;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What only one era knows stays with the peers that speak it.
@Tag("process")
@Timeout(60)
class FieldsOfErasTest {
    /// Answers a call with the parameters that it came with.
    private static ChildSpec mirror() {
        return EitherClient.server(
                "[" + EitherClient.tool("mirror") + "]",
                "say({'jsonrpc': '2.0', 'id': m['id'], 'result': {'content':"
                        + " [{'type': 'text', 'text': json.dumps(m['params'])}]}})");
    }

    @ParameterizedTest
    @EnumSource
    void a_session_client_sees_no_field_of_the_stateless_era_and_a_stateless_one_does(EitherClient.Way way) {
        try (Street street =
                        Street.plan().server("new", Gate.script(Era.MODERN)).open();
                EitherClient client = new EitherClient(street, way)) {
            JsonView result = Words.at(client.call("new__echo", "{\"text\":\"hi\"}"), "result");

            assertThat(Words.said(client.call("new__echo", "{\"text\":\"hi\"}")))
                    .isEqualTo("hi");
            assertThat(result.member("resultType") == null).isEqualTo(way.inSession());
            assertThat(result.path("_meta", "io.modelcontextprotocol/serverInfo") == null)
                    .isEqualTo(way.inSession());
            assertThat(way.inSession() && result.member("_meta") != null)
                    .as("a _meta that has nothing else")
                    .isFalse();
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_session_server_gets_no_meta_that_its_client_did_not_send(EitherClient.Way way) {
        try (Street street = Street.plan().process("mirror", mirror()).open();
                EitherClient client = new EitherClient(street, way)) {
            JsonView seen = Words.read(Words.said(client.call("mirror__mirror", "{}")));

            assertThat(seen.member("_meta")).isNull();
            assertThat(seen.string("name")).isEqualTo("mirror");
        }
    }

    @ParameterizedTest
    @EnumSource
    void an_unknown_resource_is_named_in_the_data_of_the_error(EitherClient.Way way) {
        try (Street street = Street.plan().process("mirror", mirror()).open();
                EitherClient client = new EitherClient(street, way)) {
            JsonView answer = client.ask("resources/read", ",\"uri\":\"file:///nothing\"");

            JsonView error = Objects.requireNonNull(answer.member("error"));
            assertThat(error.member("code")).hasToString(way.inSession() ? "-32002" : "-32602");
            assertThat(error.path("data", "uri")).hasToString("\"file:///nothing\"");
        }
    }
}
