package dev.fusebox.gateway.era;

import dev.fusebox.client.Deadline;
import dev.fusebox.client.SendOrder;
import dev.fusebox.client.SendSlot;
import dev.fusebox.gateway.session.ClientChannel;
import dev.fusebox.protocol.JsonRpcErrorCode;
import dev.fusebox.protocol.JsonRpcFrames;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.RequestId;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/// The front end for modern requests on one shared line (stdio): they are cancelled by a notification, and told
/// apart by their ids. Thread-safe; nothing blocks except the work that [#begin] returns.
public final class ModernLineFrontEnd {
    private final ModernFrontEnd front;
    private final ClientChannel line;
    private final SendOrder order;
    private final ConcurrentMap<RequestId, Deadline> ongoing = new ConcurrentHashMap<>();

    /// @param line channel to the client
    /// @param order of all messages from the client
    public ModernLineFrontEnd(ModernFrontEnd front, ClientChannel line, SendOrder order) {
        this.front = front;
        this.line = line;
        this.order = order;
    }

    /// Registers a request, so that it can be cancelled from now on, and returns the work that answers it,
    /// which must be run.
    public Runnable begin(Message.Request request) {
        Deadline deadline = front.deadline(request);
        if (ongoing.putIfAbsent(request.id(), deadline) != null) {
            String why = "a request with this id is already in flight";
            return () -> line.finish(JsonRpcFrames.error(request.id(), JsonRpcErrorCode.INVALID_REQUEST, why, null));
        }
        SendSlot slot = order.next();
        return () -> {
            try {
                front.answer(request, deadline, slot, new SharedLineChannel(request.id(), deadline));
            } finally {
                slot.release();
                ongoing.remove(request.id(), deadline);
            }
        };
    }

    /// Handles a cancellation; false if it is for none of these requests. A cancelled request is not answered.
    public boolean cancel(Message.Notification notification) {
        JsonView id = notification.frame().path("params", "requestId");
        RequestId cancelled = id == null ? null : RequestId.read(id);
        Deadline found = cancelled == null ? null : ongoing.remove(cancelled);
        if (found != null) {
            found.giveUp();
        }
        return found != null;
    }

    /// Sends all messages of a request to the shared line.
    private final class SharedLineChannel implements ResponseChannel {
        private final RequestId id;
        private final Deadline deadline;

        SharedLineChannel(RequestId id, Deadline deadline) {
            this.id = id;
            this.deadline = deadline;
        }

        @Override
        public void send(byte[] frame) {
            line.send(frame);
        }

        /// The id is free once the client has the answer. A cancelled request gets none.
        @Override
        public void finish(byte[] frame, Kind kind) {
            if (ongoing.remove(id, deadline)) {
                line.finish(frame);
            }
        }

        @Override
        public void abandon() {
            // A cancelled request is not answered.
        }
    }
}
