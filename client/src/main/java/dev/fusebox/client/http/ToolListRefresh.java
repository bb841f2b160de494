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

/// Refresh of the tool headers after a server has rejected a call because of them (2026-07-28, Streamable HTTP,
/// "Client Behavior"): the known schema, if any, is outdated. Without state; [#run] blocks until the deadline of
/// the call.
final class ToolListRefresh {
    private static final String HEADER_MISMATCH = "-32020";
    /// A longer list is not read to its end: the call is sent with the headers known so far.
    private static final int MAX_PAGES = 100;

    private ToolListRefresh() {}

    static boolean applies(Call call, Outcome outcome) {
        if (!(outcome instanceof Outcome.Answered answered)
                || !call.request().method().equals("tools/call")) {
            return false;
        }
        JsonView code = answered.answer().frame().path("error", "code");
        return code != null && code.json().equals(HEADER_MISMATCH);
    }

    /// Lists all tools on behalf of the call, within its deadline; whether at least one page came.
    static boolean run(StreamableHttpConnection connection, Call call, RequestTimer timer) {
        JsonView params = call.request().params();
        JsonView meta = params == null ? null : params.member("_meta");
        String version = ProtocolHeaders.version(params);
        if (meta == null || version == null) {
            return false;
        }
        String cursor = null;
        for (int page = 0; page < MAX_PAGES; page++) {
            Call listing = new Call(request(meta, cursor), call.deadline(), Caller.SILENT);
            JsonView result = result(connection.exchange(new HttpCall(connection, listing, timer, version)));
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

    /// With the metadata of the call except its progress token, since there is no receiver for progress.
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
