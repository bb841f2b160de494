package dev.fusebox.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.protocol.Message;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;

/// Recorder of what a server sends beside its responses, and of lost connections; the base of test clients.
/// Thread-safe.
public class MessageRecorder implements ServerMessageHandler, Caller {
    public final BlockingQueue<String> received = new LinkedBlockingQueue<>();
    public final List<CallFailure> losses = new CopyOnWriteArrayList<>();

    protected MessageRecorder() {}

    public static Message.Request request(String id, String method, String params) {
        byte[] frame = ("{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"" + method + "\",\"params\":" + params
                        + "}")
                .getBytes(UTF_8);
        return Message.Request.of(frame);
    }

    /// The whole response.
    public static String answered(Outcome outcome) {
        assertThat(outcome).isInstanceOf(Outcome.Answered.class);
        return ((Outcome.Answered) outcome).answer().frame().json();
    }

    public static CallFailure failed(Outcome outcome) {
        assertThat(outcome).isInstanceOf(Outcome.Failed.class);
        return ((Outcome.Failed) outcome).failure();
    }

    public static Connection connected(Connector.Opened opened) {
        assertThat(opened).isInstanceOf(Connector.Opened.Connected.class);
        return ((Connector.Opened.Connected) opened).connection();
    }

    public static CallFailure refused(Connector.Opened opened) {
        assertThat(opened).isInstanceOf(Connector.Opened.Refused.class);
        return ((Connector.Opened.Refused) opened).failure();
    }

    @Override
    public void progress(byte[] frame) {
        received.add("progress " + new String(frame, UTF_8));
    }

    @Override
    public void onNotification(Message.Notification notification) {
        received.add("told " + notification.frame().json());
    }

    @Override
    public boolean onRequest(ReplyHandler replyHandler, Message.Request question) {
        received.add("asked " + question.frame().json());
        return false;
    }

    @Override
    public void lost(Connection connection, CallFailure failure) {
        losses.add(failure);
    }
}
