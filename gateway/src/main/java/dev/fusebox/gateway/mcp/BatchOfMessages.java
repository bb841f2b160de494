package dev.fusebox.gateway.mcp;

import dev.fusebox.gateway.http.Headers;
import dev.fusebox.gateway.http.HttpReply;
import dev.fusebox.protocol.ErrorCode;
import dev.fusebox.protocol.Frames;
import dev.fusebox.protocol.Message;

/// Several messages in one POST, which only revision 2025-03-26 knows. Refused so far.
final class BatchOfMessages {
    private BatchOfMessages() {}

    static void pass(Message.Batch batch, HttpSession session, HttpReply reply) {
        String why =
                session.revision().hasBatches() ? "batches are not taken over HTTP" : "this revision has no batches";
        byte[] error = Frames.error(null, ErrorCode.INVALID_REQUEST, why, null);
        reply.respond(400, Headers.of("Content-Type", "application/json"), error);
    }
}
