package dev.fusebox.gateway.front;

import dev.fusebox.gateway.session.ClientChannel;
import dev.fusebox.protocol.JsonRpcErrorCode;
import dev.fusebox.protocol.JsonRpcFrames;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.Message;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;

/// A batch: several messages in one array, as revision 2025-03-26 allows. They are handled concurrently and
/// answered in one array. Used once.
final class MessageBatch {
    /// Larger batches are attempts to bypass the limits on messages.
    private static final int MAX = 100;

    private final Conversation conversation;
    private final ClientChannel clientChannel;
    private final List<byte[]> answers = new ArrayList<>();
    private final List<Runnable> works = new ArrayList<>();
    private boolean isRefused;

    /// The handler of single messages.
    interface Conversation {
        Runnable begin(Message.Request request, ClientChannel clientChannel);

        void take(Message.Notification notification);

        void take(Message.Answer answer);
    }

    MessageBatch(Conversation conversation, ClientChannel clientChannel) {
        this.conversation = conversation;
        this.clientChannel = clientChannel;
    }

    /// The error for a batch in a revision without batches.
    static byte[] refusal() {
        String why = "this protocol revision does not support batches";
        return JsonRpcFrames.error(null, JsonRpcErrorCode.INVALID_REQUEST, why, null);
    }

    /// Registers all messages in their order. Called once, before they are handled.
    MessageBatch begin(Message.Batch batch) {
        List<JsonView> messages = batch.frame().elements();
        isRefused = messages.isEmpty() || messages.size() > MAX;
        if (!isRefused) {
            messages.forEach(message -> begin(Message.of(message).exact()));
        }
        return this;
    }

    /// Handles all messages, unless interrupted.
    void work() {
        try {
            answer();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    /// Handles all messages and waits for the last; false if there was nothing to answer.
    boolean answer() throws InterruptedException {
        if (isRefused) {
            String why = "a batch must have 1 to " + MAX + " messages";
            clientChannel.finish(JsonRpcFrames.error(null, JsonRpcErrorCode.INVALID_REQUEST, why, null));
            return true;
        }
        List<Thread> working =
                works.stream().map(work -> Thread.ofVirtual().start(work)).toList();
        for (Thread thread : working) {
            thread.join();
        }
        return finish(!working.isEmpty());
    }

    private void begin(Message message) {
        switch (message) {
            case Message.Request request -> works.add(conversation.begin(request, new Part()));
            case Message.Notification notification -> conversation.take(notification);
            case Message.Answer answer -> conversation.take(answer);
            case Message.Malformed bad -> add(JsonRpcFrames.error(bad.id(), bad.code(), bad.reason(), null));
            case Message.Batch nested ->
                add(JsonRpcFrames.error(
                        null, JsonRpcErrorCode.INVALID_REQUEST, "nested batches are not allowed", null));
        }
    }

    private synchronized void add(byte[] answer) {
        answers.add(answer);
    }

    /// @param asked whether the batch contained a request, even if the client wants no response any more
    private synchronized boolean finish(boolean asked) {
        if (answers.isEmpty() && asked) {
            clientChannel.abandon();
        }
        if (answers.isEmpty()) {
            return asked;
        }
        ByteArrayOutputStream array = new ByteArrayOutputStream();
        for (byte[] answer : answers) {
            array.write(array.size() == 0 ? '[' : ',');
            array.writeBytes(answer);
        }
        array.write(']');
        clientChannel.finish(array.toByteArray());
        return true;
    }

    /// The channel for one request of the batch.
    private final class Part implements ClientChannel {
        @Override
        public void send(byte[] frame) {
            clientChannel.send(frame);
        }

        @Override
        public void finish(byte[] answer) {
            add(answer);
        }

        @Override
        public void abandon() {
            // The array has no element for it.
        }
    }
}
