package dev.fusebox.protocol;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MessageTest {
    private static Message read(String json) {
        byte[] text = json.getBytes(UTF_8);
        return Message.read(text, 0, text.length);
    }

    @Test
    void requests_notifications_responses_and_batches_are_distinguished() {
        assertThat(read("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}"))
                .isInstanceOfSatisfying(Message.Request.class, request -> {
                    assertThat(request.method()).isEqualTo("ping");
                    assertThat(request.id()).isEqualTo(RequestId.of(1));
                    assertThat(request.params()).isNull();
                });
        assertThat(read("{\"jsonrpc\":\"2.0\",\"method\":\"told\",\"params\":{}}"))
                .isInstanceOf(Message.Notification.class);
        assertThat(read("{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"result\":{}}")).isInstanceOf(Message.Answer.class);
        assertThat(read("{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"error\":{}}")).isInstanceOf(Message.Answer.class);
        assertThat(read("[{}]")).isInstanceOf(Message.Batch.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "5",
                "{}",
                "{\"jsonrpc\":\"1.0\",\"id\":1,\"method\":\"x\"}",
                "{\"id\":1,\"method\":\"x\"}",
                "{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"x\"}",
                "{\"jsonrpc\":\"2.0\",\"id\":[1],\"method\":\"x\"}",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":7}",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"x\",\"params\":7}",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"x\",\"result\":7}",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":1,\"error\":{}}",
                "{\"jsonrpc\":\"2.0\",\"id\":1}",
                "{\"jsonrpc\":\"2.0\",\"result\":1}",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"x\",\"method\":\"y\"}",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"x\",\"Method\":\"y\"}",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"x\",\"\\u006dethod\":\"y\"}",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"x\",\"params\":{},\"params\":[]}"
            })
    void ambiguous_or_incomplete_message_is_malformed(String json) {
        assertThat(read(json))
                .isInstanceOfSatisfying(
                        Message.Malformed.class,
                        bad -> assertThat(bad.code()).isEqualTo(JsonRpcErrorCode.INVALID_REQUEST));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"name\":\"a\",\"name\":\"b\"}",
                "{\"name\":\"a\",\"Name\":\"b\"}",
                "{\"name\":\"a\",\"n\\u0061me\":\"b\"}",
                "{\"Arguments\":{}}",
                "{\"_meta\":{\"t\":1,\"t\":2}}"
            })
    void ambiguous_parameters_are_not_exact(String params) {
        String notification = "{\"jsonrpc\":\"2.0\",\"method\":\"x\",\"params\":" + params + "}";
        assertThat(read(notification)).isInstanceOf(Message.Notification.class);
        assertThat(read(notification).exact()).isInstanceOf(Message.Malformed.class);
        assertThat(read(notification.replace("\"method\"", "\"id\":9,\"method\""))
                        .exact())
                .isInstanceOfSatisfying(
                        Message.Malformed.class, bad -> assertThat(bad.id()).isEqualTo(RequestId.of(9)));
    }

    @Test
    void request_with_an_id_or_progress_token_over_one_kilobyte_is_rejected() {
        String most = "\"" + "x".repeat(1_022) + "\"";
        String more = "\"" + "x".repeat(1_023) + "\"";
        for (String request : List.of(
                "{\"jsonrpc\":\"2.0\",\"id\":%s,\"method\":\"x\"}",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"x\",\"params\":{\"_meta\":{\"progressToken\":%s}}}")) {
            assertThat(read(request.formatted(most)).exact()).isInstanceOf(Message.Request.class);
            assertThat(read(request.formatted(more)).exact()).isInstanceOfSatisfying(Message.Malformed.class, bad -> {
                assertThat(bad.code()).isEqualTo(JsonRpcErrorCode.INVALID_REQUEST);
                assertThat(bad.reason()).contains("longer than 1024 bytes");
                assertThat(bad.id()).isNotNull();
            });
        }
    }

    @Test
    void parameters_with_unique_names_are_exact() {
        String params = "{\"name\":\"a\",\"arguments\":{\"n\":1,\"N\":2},\"_meta\":{\"name\":1,\"n\":[]}}";
        Message request = read("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"x\",\"params\":" + params + "}");
        assertThat(request.exact()).isSameAs(request);
    }

    @Test
    void readable_id_of_a_malformed_request_is_kept() {
        assertThat(read("{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":7}"))
                .isInstanceOfSatisfying(
                        Message.Malformed.class, bad -> assertThat(bad.id()).isEqualTo(RequestId.of(9)));
        assertThat(read("{\"jsonrpc"))
                .isInstanceOfSatisfying(
                        Message.Malformed.class, bad -> assertThat(bad.code()).isEqualTo(JsonRpcErrorCode.PARSE_ERROR));
    }

    @Test
    void string_and_number_are_different_ids() {
        assertThat(RequestId.of("7")).isNotEqualTo(RequestId.of(7));
        assertThat(RequestId.of("7").number()).isEqualTo(-1);
    }

    @ParameterizedTest
    @CsvSource({"7,7", "7.0,7", "7.5,-1", "-7,-1", "0,0", "1e3,-1", "123456789012345678,123456789012345678", "07x,-1"})
    void only_an_integer_can_be_an_id_issued_by_the_gateway(String json, long number) {
        assertThat(new RequestId(json).number()).isEqualTo(number);
    }

    @Test
    void frame_is_put_on_one_line_without_changing_its_meaning() {
        byte[] frame = "{\n \"a\" :\r\n \"b\\n\" }".getBytes(UTF_8);

        JsonView view = JsonView.of(new String(JsonRpcFrames.onOneLine(frame), UTF_8));

        assertThat(view.json()).doesNotContain("\n").doesNotContain("\r");
        assertThat(view.string("a")).isEqualTo("b\n");
    }

    @Test
    void byte_order_mark_before_a_message_is_removed() {
        byte[] frame = "\uFEFF{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"text\":\"\uFEFFkept\"}}".getBytes(UTF_8);
        for (Message message : List.of(Message.read(frame), Message.read(frame, 10))) {
            assertThat(message)
                    .isInstanceOfSatisfying(
                            Message.Answer.class,
                            answer -> assertThat(answer.frame().json())
                                    .isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"text\":\"\uFEFFkept\"}}"));
        }
        assertThat(Message.read("\uFEFF".getBytes(UTF_8))).isInstanceOf(Message.Malformed.class);
        assertThat(Message.read(new byte[] {(byte) 0xEF, (byte) 0xBB})).isInstanceOf(Message.Malformed.class);
    }
}
