package dev.fusebox.testkit.server;

import dev.fusebox.protocol.RequestId;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// The calls of a client that run. Thread-safe.
final class RunningCalls {
    private final Map<RequestId, CallContext> callContexts = new ConcurrentHashMap<>();

    void started(CallContext callContext) {
        callContexts.put(callContext.id(), callContext);
    }

    /// Whether the call was still running, and so may be answered. A cancelled one is answered no more.
    boolean ended(CallContext callContext) {
        return callContexts.remove(callContext.id(), callContext) && !callContext.isCancelled();
    }

    void cancel(RequestId id) {
        CallContext callContext = callContexts.get(id);
        if (callContext != null) {
            callContext.cancel();
        }
    }

    void cancelAll() {
        callContexts.values().forEach(CallContext::cancel);
    }
}
