package dev.fusebox.testkit.server;

import dev.fusebox.protocol.JsonRpcErrorCode;
import dev.fusebox.protocol.JsonRpcFrames;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.RequestId;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The era of sessions: a conversation begins with `initialize`, and the server may ask the client.
final class LegacyCodec implements Codec {
    /// From the oldest to the newest.
    static final List<String> REVISIONS = List.of("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25");
    /// The only revision with several messages in one.
    private static final String WITH_BATCHES = "2025-03-26";

    private final Fixture fixture;
    private final LegacyClientState legacyClientState;
    private final CommonResults commonResults;

    LegacyCodec(LegacyClientState legacyClientState) {
        this.fixture = legacyClientState.fixture();
        this.legacyClientState = legacyClientState;
        this.commonResults = new CommonResults(fixture);
    }

    @Override
    public void receive(Message message, Outbox outbox) {
        switch (message) {
            case Message.Request request -> request(request, outbox);
            case Message.Notification notification -> notified(notification, outbox);
            case Message.Answer answer -> {
                legacyClientState.answered(answer);
                outbox.finish();
            }
            case Message.Malformed malformed ->
                outbox.answer(JsonRpcFrames.error(malformed.id(), malformed.code(), malformed.reason(), null));
            case Message.Batch batch -> batch(batch, outbox);
        }
    }

    private void batch(Message.Batch batch, Outbox outbox) {
        List<Message> messages =
                batch.frame().elements().stream().map(Message::of).toList();
        Predicate<Message> wantsAnAnswer =
                message -> message instanceof Message.Request || message instanceof Message.Malformed;
        int expected = (int) messages.stream().filter(wantsAnAnswer).count();
        if (messages.isEmpty() || !legacyClientState.revision().equals(WITH_BATCHES)) {
            outbox.answer(
                    JsonRpcFrames.error(null, JsonRpcErrorCode.INVALID_REQUEST, "no batches in this revision", null));
            return;
        }
        BatchOutbox together = new BatchOutbox(outbox, expected);
        messages.stream().filter(wantsAnAnswer).forEach(message -> receive(message, together));
        messages.stream().filter(wantsAnAnswer.negate()).forEach(message -> receive(message, new DiscardingOutbox()));
        if (expected == 0) {
            outbox.finish();
        }
    }

    private void notified(Message.Notification notification, Outbox outbox) {
        RequestId cancelled = CommonResults.cancelledBy(notification);
        if (cancelled != null) {
            legacyClientState.runningCalls().cancel(cancelled);
        }
        outbox.finish();
    }

    private void request(Message.Request request, Outbox outbox) {
        boolean early = legacyClientState.revision().isEmpty() && !isAllowedEarly(request.method());
        if (early) {
            fixture.script().fault(FaultKind.EXIT_ON_EARLY_REQUEST).ifPresent(this::exit);
        }
        if (commonResults.hangsOn(request.method())) {
            return;
        }
        try {
            if (early) {
                throw new RpcError(JsonRpcErrorCode.INVALID_REQUEST, "the conversation begins with initialize", null);
            }
            answer(request, outbox);
        } catch (RpcError fault) {
            outbox.answer(JsonRpcFrames.error(request.id(), fault.code(), fault.message(), fault.data()));
        }
    }

    private static boolean isAllowedEarly(String method) {
        return method.equals("initialize") || method.equals("ping");
    }

    private void exit(ScriptedFault fault) {
        try {
            fixture.host().crash(fault.effectiveValue());
        } catch (ToolError e) {
            throw new IllegalStateException(e.message(), e);
        }
    }

    private void answer(Message.Request request, Outbox outbox) throws RpcError {
        JsonView params = request.params();
        switch (request.method()) {
            case "tools/call" ->
                RunningCall.start(new CallContext(legacyClientState, request, outbox), commonResults.tool(params));
            case "prompts/get" ->
                RunningCall.start(
                        new CallContext(legacyClientState, request, outbox),
                        request.method(),
                        fixture.fixturePrompts()::render);
            case "resources/read" ->
                RunningCall.start(
                        new CallContext(legacyClientState, request, outbox), request.method(), Resources::read);
            default -> outbox.answer(JsonRpcFrames.result(request.id(), result(request.method(), params)));
        }
    }

    private String result(String method, @Nullable JsonView params) throws RpcError {
        return switch (method) {
            case "initialize" -> initialize(params);
            case "ping" -> "{}";
            case "logging/setLevel" -> {
                legacyClientState.logFrom(CommonResults.text(params, "level"));
                yield "{}";
            }
            case "resources/subscribe" -> {
                legacyClientState.subscribe(CommonResults.text(params, "uri"));
                yield "{}";
            }
            case "resources/unsubscribe" -> {
                legacyClientState.unsubscribe(CommonResults.text(params, "uri"));
                yield "{}";
            }
            default -> commonResults.result(method, params);
        };
    }

    private String initialize(@Nullable JsonView params) throws RpcError {
        String asked = CommonResults.text(params, "protocolVersion");
        String agreed = REVISIONS.contains(asked) ? asked : REVISIONS.getLast();
        String told = fixture.script()
                .fault(FaultKind.PROTOCOL_VERSION)
                .map(ScriptedFault::effectiveValue)
                .orElse(agreed);
        legacyClientState.agree(told, params == null ? null : params.member("capabilities"));
        return "{\"protocolVersion\":" + ToolContent.quoted(told) + ",\"capabilities\":" + CommonResults.CAPABILITIES
                + ",\"serverInfo\":" + CommonResults.SERVER_INFO + ",\"instructions\":" + CommonResults.INSTRUCTIONS
                + "}";
    }
}
