package dev.fusebox.client.http;

import dev.fusebox.client.Call;
import dev.fusebox.client.Caller;
import dev.fusebox.client.Outcome;
import dev.fusebox.protocol.JsonRpcFrames;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.RequestId;
import org.jspecify.annotations.Nullable;

/// Learns a server's headers anew after it has refused a call for them (2026-07-28, Streamable HTTP, "Client
/// Behavior"): the schema that we know, if any, is not its newest. Pure functions but for the calls they make.
final class ToolListRefresh {
    private static final String HEADER_MISMATCH = "-32020";
    /// A list that goes on is given up: the call is made with what was learned.
    private static final int MOST_PAGES = 100;

    private ToolListRefresh() {}

    static boolean helps(Call call, Outcome outcome) {
        if (!(outcome instanceof Outcome.Answered answered)
                || !call.request().method().equals("tools/call")) {
            return false;
        }
        JsonView code = answered.answer().frame().path("error", "code");
        return code != null && code.json().equals(HEADER_MISMATCH);
    }

    /// Lists all tools on behalf of the call, within its time; whether at least one page came.
    static boolean run(StreamableHttpConnection connection, Call call, RequestTimer keeper) {
        JsonView params = call.request().params();
        JsonView meta = params == null ? null : params.member("_meta");
        String version = ProtocolHeaders.version(params);
        if (meta == null || version == null) {
            return false;
        }
        String cursor = null;
        for (int page = 0; page < MOST_PAGES; page++) {
            Call listing = new Call(request(meta, cursor), call.deadline(), Caller.SILENT);
            JsonView result = result(connection.once(new HttpCall(connection, listing, keeper, version)));
            String next = result == null ? null : result.string("nextCursor");
            if (next == null || next.equals(cursor)) {
                return page > 0 || result != null;
            }
            cursor = next;
        }
        return true;
    }

    private static @Nullable JsonView result(Outcome outcome) {
        return outcome instanceof Outcome.Answered answered ? answered.answer().result() : null;
    }

    /// With the metadata of the call, but for its progress token: nobody waits for the progress of this.
    private static Message.Request request(JsonView meta, @Nullable String cursor) {
        JsonWriter params = new JsonWriter().beginObject().name("_meta").beginObject();
        meta.forEachMember((name, value) -> {
            if (!name.equals("progressToken")) {
                params.name(name).raw(value);
            }
        });
        params.endObject();
        if (cursor != null) {
            params.name("cursor").string(cursor);
        }
        byte[] frame = JsonRpcFrames.request(
                RequestId.of(0), "tools/list", params.endObject().toString());
        return Message.Request.of(frame);
    }
}
