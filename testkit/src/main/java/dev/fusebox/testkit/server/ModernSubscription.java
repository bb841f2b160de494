package dev.fusebox.testkit.server;

import dev.fusebox.protocol.JsonRpcFrames;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.RequestId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// One `subscriptions/listen` while it lasts (2026-07-28, subscriptions): says first what it listens for, then
/// tells of nothing else. Thread-safe; writing blocks while the client does not read.
final class ModernSubscription implements ChangeListener {
    private static final Map<String, String> METHODS = Map.of(
            "toolsListChanged", "notifications/tools/list_changed",
            "promptsListChanged", "notifications/prompts/list_changed",
            "resourcesListChanged", "notifications/resources/list_changed");

    private final RequestId id;
    private final Outbox outbox;
    private final Set<String> methods = new HashSet<>();
    private final Set<String> uris = new HashSet<>();
    private final String honoured;
    private final ReentrantLock writing = new ReentrantLock();
    private boolean acknowledged;
    private boolean ended;

    ModernSubscription(Message.Request request, Outbox outbox) throws RpcError {
        JsonView params = request.params();
        JsonView wanted = params == null ? null : params.member("notifications");
        if (wanted == null || !wanted.isObject()) {
            throw RpcError.invalidParams("notifications is missing: what to listen for");
        }
        this.id = request.id();
        this.outbox = outbox;
        this.honoured = take(wanted);
    }

    private String take(JsonView wanted) {
        var kept = new ArrayList<String>();
        wanted.forEachMember((name, value) -> {
            String method = METHODS.get(name);
            if (method != null && value.isTrue()) {
                methods.add(method);
                kept.add("\"" + name + "\":true");
            }
            if (name.equals("resourceSubscriptions")) {
                value.elements().forEach(uri -> uris.add(String.valueOf(uri.string())));
                kept.add("\"" + name + "\":" + value.json());
            }
        });
        return "{" + String.join(",", kept) + "}";
    }

    RequestId id() {
        return id;
    }

    /// The first message; nothing comes before it.
    void acknowledge() {
        writing.lock();
        try {
            acknowledged = true;
            tell("notifications/subscriptions/acknowledged", ",\"notifications\":" + honoured);
        } finally {
            writing.unlock();
        }
    }

    @Override
    public void changed(String method) {
        if (methods.contains(method)) {
            tell(method, "");
        }
    }

    @Override
    public void updated(String uri) {
        if (uris.contains(uri)) {
            tell("notifications/resources/updated", ",\"uri\":" + ToolContent.quoted(uri));
        }
    }

    private void tell(String method, String members) {
        writing.lock();
        try {
            if (acknowledged && !ended) {
                outbox.send(JsonRpcFrames.notification(method, "{" + tag(null) + members + "}"));
            }
        } finally {
            writing.unlock();
        }
    }

    private String tag(@Nullable String signature) {
        return "\"_meta\":{\"" + RequestMeta.SUBSCRIPTION_ID + "\":" + id.json()
                + (signature == null ? "" : "," + signature) + "}";
    }

    /// Ends it as a server does that ends it by itself: with a result.
    @Override
    public void end() {
        String server = "\"" + RequestMeta.SERVER_INFO + "\":" + CommonResults.SERVER_INFO;
        close(JsonRpcFrames.result(id, "{\"resultType\":\"complete\"," + tag(server) + "}"));
    }

    /// Ends it as the client wants it ended: without a word.
    void cancel() {
        close(null);
    }

    private void close(byte @Nullable [] last) {
        writing.lock();
        try {
            if (!ended && last != null) {
                outbox.answer(last);
            }
            ended = true;
            outbox.finish();
        } finally {
            writing.unlock();
        }
    }
}
