package dev.fusebox.gateway.upstream;

import dev.fusebox.client.ClientMetadata;
import dev.fusebox.client.ClientSession;
import dev.fusebox.client.Promise;
import dev.fusebox.client.ReplyHandler;
import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.JsonRpcFrames;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.RequestId;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The roots of client sessions, each asked for once. Thread-safe; only [#of] blocks, for some seconds at most.
final class ClientRoots {
    private static final Duration LIMIT = Duration.ofSeconds(3);
    private static final AtomicLong UNKNOWN = new AtomicLong();
    private static final RequestId ID = RequestId.of("fusebox-roots");

    private final Platform platform;
    private final String server;
    private final Map<ClientSession, Promise<String>> known = new ConcurrentHashMap<>();

    /// @param server for whose sake the sessions are asked
    ClientRoots(Platform platform, String server) {
        this.platform = platform;
        this.server = server;
    }

    /// The roots of a client, in a form that can be compared. Those of a client that does not say are like no
    /// others.
    String of(ClientMetadata client) {
        if (client.capabilities().member("roots") == null) {
            return "";
        }
        Promise<String> mine = new Promise<>();
        ClientSession session = client.sessionOrShared();
        Promise<String> first = known.putIfAbsent(session, mine);
        if (first == null) {
            ask(session, mine);
        }
        try {
            String roots = (first == null ? mine : first).await(platform, LIMIT);
            return roots == null ? unknown() : roots;
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return unknown();
        }
    }

    /// Whether they are known, or known to be none.
    boolean isKnown(ClientMetadata client) {
        Promise<String> promise = known.get(client.sessionOrShared());
        return client.capabilities().member("roots") == null || (promise != null && promise.now() != null);
    }

    private void ask(ClientSession session, Promise<String> promise) {
        Message.Request request = Message.Request.of(JsonRpcFrames.request(ID, "roots/list", null));
        if (!session.onRequest(server, new Reply(promise), request)) {
            promise.complete(unknown());
        }
    }

    /// The roots in an answer, in a form that can be compared.
    static String text(JsonView answer) {
        JsonView roots = answer.path("result", "roots");
        return roots == null || !roots.isArray()
                ? unknown()
                : roots.elements().stream()
                        .flatMap(root -> Stream.ofNullable(root.string("uri")))
                        .sorted()
                        .collect(Collectors.joining("\n", "\n", ""));
    }

    private static String unknown() {
        return "unknown " + UNKNOWN.incrementAndGet();
    }

    private record Reply(Promise<String> promise) implements ReplyHandler {
        @Override
        public void answer(JsonView answer, RequestId question) {
            promise.complete(text(answer));
        }

        @Override
        public void sendOneWay(byte[] refusal) {
            promise.complete(unknown());
        }
    }

    /// The roots of a session have changed, or it has ended.
    void forget(@Nullable ClientSession session) {
        if (session != null) {
            known.remove(session);
        }
    }
}
