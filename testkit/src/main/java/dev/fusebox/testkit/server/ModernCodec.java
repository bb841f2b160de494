package dev.fusebox.testkit.server;

import dev.fusebox.protocol.JsonRpcErrorCode;
import dev.fusebox.protocol.JsonRpcFrames;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.RequestId;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The stateless era: every request says all that there is to know, and the server never asks. One of these serves
/// one pipe, or one request over HTTP; closing it is what a client does that has gone.
final class ModernCodec implements Codec, AutoCloseable {
    static final String REVISION = "2026-07-28";

    /// Lists are the same for everybody, and a change is told; what a resource says may be somebody's own.
    private static final String LISTED = "\"ttlMs\":60000,\"cacheScope\":\"public\",";

    private static final String READ = "\"ttlMs\":1000,\"cacheScope\":\"private\",";

    private final Fixture fixture;
    private final CommonResults commonResults;
    private final RunningCalls runningCalls = new RunningCalls();
    private final Map<RequestId, ModernSubscription> modernSubscriptions = new ConcurrentHashMap<>();

    ModernCodec(Fixture fixture) {
        this.fixture = fixture;
        this.commonResults = new CommonResults(fixture);
    }

    @Override
    public void receive(Message message, Outbox outbox) {
        switch (message) {
            case Message.Request request -> request(request, outbox);
            case Message.Notification notification -> {
                RequestId cancelled = CommonResults.cancelledBy(notification);
                if (cancelled != null) {
                    cancel(cancelled);
                }
                outbox.finish();
            }
            case Message.Answer answer -> outbox.finish();
            case Message.Malformed malformed ->
                outbox.answer(JsonRpcFrames.error(malformed.id(), malformed.code(), malformed.reason(), null));
            case Message.Batch batch ->
                outbox.answer(JsonRpcFrames.error(
                        null, JsonRpcErrorCode.INVALID_REQUEST, "no batches in this revision", null));
        }
    }

    private void cancel(RequestId id) {
        runningCalls.cancel(id);
        ModernSubscription modernSubscription = modernSubscriptions.remove(id);
        if (modernSubscription != null) {
            fixture.closed(modernSubscription);
            modernSubscription.cancel();
        }
    }

    private void request(Message.Request request, Outbox outbox) {
        if (commonResults.hangsOn(request.method())) {
            outbox.begin();
            return;
        }
        try {
            RequestMeta meta = RequestMeta.of(request.params());
            if (!meta.version().equals(REVISION)) {
                throw RpcError.unsupportedVersion(meta.version(), supported());
            }
            answer(request, new ModernClient(fixture, runningCalls, meta), outbox);
        } catch (RpcError fault) {
            refuse(request, fault, outbox);
        }
    }

    /// Answers with an error.
    static void refuse(Message.Request request, RpcError fault, Outbox outbox) {
        outbox.answer(JsonRpcFrames.error(request.id(), fault.code(), fault.message(), fault.data()), fault.status());
    }

    private void answer(Message.Request request, ModernClient client, Outbox outbox) throws RpcError {
        String method = request.method();
        switch (method) {
            case "tools/call" ->
                RunningCall.start(new CallContext(client, request, outbox), commonResults.tool(request.params()));
            case "prompts/get" ->
                RunningCall.start(new CallContext(client, request, outbox), method, fixture.fixturePrompts()::render);
            case "resources/read" ->
                RunningCall.start(new CallContext(client, request, outbox), method, ModernCodec::read);
            case "subscriptions/listen" -> listen(request, outbox);
            case "server/discover" -> outbox.answer(complete(request, LISTED, discovery()));
            case "completion/complete" ->
                outbox.answer(complete(request, "", commonResults.result(method, request.params())));
            default -> outbox.answer(complete(request, LISTED, commonResults.result(method, request.params())));
        }
    }

    /// In this era a resource that is not there is a wrong parameter.
    private static String read(CallContext callContext) throws NoResult, InterruptedException {
        try {
            return "{" + READ + Resources.read(callContext).substring(1);
        } catch (RpcError fault) {
            throw fault.code() == JsonRpcErrorCode.RESOURCE_NOT_FOUND
                    ? fault.under(JsonRpcErrorCode.INVALID_PARAMS)
                    : fault;
        }
    }

    private static byte[] complete(Message.Request request, String hints, String result) {
        return JsonRpcFrames.result(
                request.id(), "{\"resultType\":\"complete\"," + ModernClient.SIGNATURE + hints + result.substring(1));
    }

    private String discovery() {
        return "{\"supportedVersions\":" + supported() + ",\"capabilities\":" + CommonResults.CAPABILITIES
                + ",\"instructions\":" + CommonResults.INSTRUCTIONS + "}";
    }

    private String supported() {
        Stream<String> older = fixture.era() == Era.BOTH ? LegacyCodec.REVISIONS.reversed().stream() : Stream.empty();
        List<String> all = Stream.concat(Stream.of(REVISION), older).toList();
        return all.stream().map(ToolContent::quoted).collect(Collectors.joining(",", "[", "]"));
    }

    private void listen(Message.Request request, Outbox outbox) throws RpcError {
        ModernSubscription modernSubscription = new ModernSubscription(request, outbox);
        modernSubscriptions.put(modernSubscription.id(), modernSubscription);
        // Known before it is acknowledged: what changes right after that must not be missed.
        fixture.opened(modernSubscription);
        modernSubscription.acknowledge();
    }

    /// Gives up all calls that run, and ends all subscriptions.
    @Override
    public void close() {
        runningCalls.cancelAll();
        modernSubscriptions.values().forEach(fixture::closed);
        modernSubscriptions.values().forEach(ModernSubscription::end);
    }
}
