package dev.fusebox.gateway.era;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.Caller;
import dev.fusebox.client.ReplyHandler;
import dev.fusebox.protocol.Message;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Which log lines a client of the stateless era hears, whoever has sent them to its call.
class RequestNotificationsTest {
    private final List<String> heard = new ArrayList<>();

    private final Caller client = new Caller() {
        @Override
        public void progress(byte[] frame) {
            heard.add("progress");
        }

        @Override
        public void onNotification(Message.Notification notification) {
            heard.add(notification.method() + " " + notification.frame().path("params", "level"));
        }

        @Override
        public boolean onRequest(ReplyHandler replyHandler, Message.Request question) {
            return true;
        }
    };

    @Test
    void client_without_log_level_receives_no_log_messages_but_everything_else() {
        RequestNotifications requestNotifications = RequestNotifications.of(client, null);

        requestNotifications.onNotification(line("emergency"));
        requestNotifications.onNotification(
                notification("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\"}"));
        requestNotifications.progress(new byte[0]);

        assertThat(heard).containsExactly("notifications/cancelled null", "progress");
    }

    @Test
    void client_receives_its_log_level_and_higher() {
        RequestNotifications requestNotifications = RequestNotifications.of(client, "warning");

        List.of("debug", "info", "notice", "warning", "error", "no-such-level")
                .forEach(level -> requestNotifications.onNotification(line(level)));

        assertThat(heard).containsExactly("notifications/message \"warning\"", "notifications/message \"error\"");
    }

    private static Message.Notification line(String level) {
        return notification("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{\"level\":\"" + level
                + "\",\"data\":\"\"}}");
    }

    private static Message.Notification notification(String text) {
        byte[] frame = text.getBytes(StandardCharsets.UTF_8);
        return Message.Notification.of(frame);
    }
}
