package dev.fusebox.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.Message;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Progress that a server reports together with the response of its call.
class TaskProgressTest {
    private static final Platform PLATFORM = Platform.system();

    private final List<String> toldToCaller = new ArrayList<>();
    private final List<String> toldToPeer = new ArrayList<>();

    /// The server sends the response and progress before the thread of the caller has seen the response.
    private Outcome called(String result) {
        WireConnection connection = new WireConnection(PLATFORM, "server", serverMessageHandler(), 100);
        connection.attach(new Wire() {
            @Override
            public boolean send(byte[] frame) {
                say(connection, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":" + result + "}");
                say(
                        connection,
                        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\","
                                + "\"params\":{\"progressToken\":1,\"progress\":1}}");
                return true;
            }

            @Override
            public void close() {
                // There is nothing to close.
            }
        });
        Message.Request request = Message.Request.of(("{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/call\","
                        + "\"params\":{\"name\":\"any\",\"_meta\":{\"progressToken\":\"mine\"}}}")
                .getBytes(UTF_8));
        Deadline deadline = new Deadline(Duration.ofSeconds(20), Duration.ZERO, PLATFORM.ticker());
        return connection.call(new Call(request, deadline, caller()));
    }

    private static void say(WireConnection connection, String message) {
        byte[] frame = message.getBytes(UTF_8);
        connection.frame(frame, 0, frame.length);
    }

    private ServerMessageHandler serverMessageHandler() {
        return new ServerMessageHandler() {
            @Override
            public boolean onRequest(ReplyHandler replyHandler, Message.Request request) {
                return false;
            }

            @Override
            public void onNotification(Message.Notification notification) {
                toldToPeer.add(notification.frame().json());
            }

            @Override
            public void lost(Connection connection, CallFailure failure) {
                // It is never lost.
            }
        };
    }

    private Caller caller() {
        return new Caller() {
            @Override
            public void progress(byte[] frame) {
                toldToCaller.add(new String(frame, UTF_8));
            }

            @Override
            public void onNotification(Message.Notification notification) {
                // Only progress is sent.
            }

            @Override
            public boolean onRequest(ReplyHandler replyHandler, Message.Request question) {
                return false;
            }
        };
    }

    /// The caller may have stopped listening, so only the connection handler can receive it.
    @Test
    void progress_of_a_task_after_its_response_goes_to_the_connection_handler() {
        assertThat(called("{\"task\":{\"taskId\":\"t\",\"status\":\"working\"}}"))
                .isInstanceOf(Outcome.Answered.class);
        assertThat(toldToPeer).singleElement().asString().contains("\"progressToken\":\"mine\"");
        assertThat(toldToCaller).isEmpty();
    }

    @Test
    void progress_after_the_response_of_a_call_without_a_task_is_dropped() {
        assertThat(called("{\"content\":[]}")).isInstanceOf(Outcome.Answered.class);
        assertThat(toldToPeer).isEmpty();
    }
}
