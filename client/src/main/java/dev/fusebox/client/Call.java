package dev.fusebox.client;

import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.Splice;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One request on its way to a server. Immutable but for the deadline and the slot.
///
/// The request is the client's own frame. What has to differ on the wire is kept beside it as edits, and written
/// once, by [#frame].
///
/// @param request as the client sent it
/// @param client what is known of the client
/// @param deadline how long the caller waits
/// @param caller receives progress, notifications and questions of the server
/// @param slot its place among the messages of its client
/// @param edits of the request's frame
public record Call(
        Message.Request request,
        ClientMetadata client,
        Deadline deadline,
        Caller caller,
        SendSlot slot,
        List<Splice.Edit> edits) {
    /// A call outside of the message order of its client.
    public Call(Message.Request request, ClientMetadata client, Deadline deadline, Caller caller) {
        this(request, client, deadline, caller, SendSlot.NONE, List.of());
    }

    /// A call whose client is not known.
    public Call(Message.Request request, Deadline deadline, Caller caller) {
        this(request, ClientMetadata.UNKNOWN, deadline, caller);
    }

    /// The same call with another request. Earlier edits do not apply to it.
    public Call with(Message.Request other) {
        return new Call(other, client, deadline, caller, slot, List.of());
    }

    /// The same call with another request, for another caller.
    public Call with(Message.Request other, Caller listener) {
        return new Call(other, client, deadline, listener, slot, List.of());
    }

    /// The same call with another caller.
    public Call with(Caller listener) {
        return new Call(request, client, deadline, listener, slot, edits);
    }

    /// The same call with another deadline.
    public Call within(Deadline limit) {
        return new Call(request, client, limit, caller, slot, edits);
    }

    /// The same call for another client.
    public Call of(ClientMetadata other) {
        return new Call(request, other, deadline, caller, slot, edits);
    }

    /// The same call with one more edit of its frame.
    public Call edited(Splice.Edit edit) {
        List<Splice.Edit> more = new ArrayList<>(edits);
        more.add(edit);
        return new Call(request, client, deadline, caller, slot, List.copyOf(more));
    }

    /// The same call with all edits written into its request, for readers of the request as it is sent.
    public Call settled() {
        return edits.isEmpty()
                ? this
                : with(Message.Request.of(Splice.of(request.frame()).all(edits).bytes()));
    }

    /// Whether a member is added to the request, such as metadata of the client.
    public boolean isExtended() {
        return edits.stream().anyMatch(Splice.Edit::isInsertion);
    }

    /// The token for progress notifications to the client; null for none.
    public @Nullable JsonView progressToken() {
        return request.frame().path("params", "_meta", "progressToken");
    }

    /// The frame as it is sent: all edits, and this id in place of the client's own and of its progress token.
    ///
    /// @param progressToken as [#progressToken] finds it, which scans the frame
    public byte[] frame(String id, @Nullable JsonView progressToken) {
        JsonView frame = request.frame();
        return Splice.of(frame)
                .all(edits)
                .replace(frame.member("id"), id)
                .replace(progressToken, id)
                .bytes();
    }
}
