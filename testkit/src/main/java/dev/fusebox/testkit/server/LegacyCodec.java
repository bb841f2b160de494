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
    private final Conversation conversation;
    private final Answers answers;

    LegacyCodec(Conversation conversation) {
        this.fixture = conversation.fixture();
        this.conversation = conversation;
        this.answers = new Answers(fixture);
    }

    @Override
    public void receive(Message message, Outbox outbox) {
        switch (message) {
            case Message.Request request -> request(request, outbox);
            case Message.Notification notification -> notified(notification, outbox);
            case Message.Answer answer -> {
                conversation.answered(answer);
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
        if (messages.isEmpty() || !conversation.revision().equals(WITH_BATCHES)) {
            outbox.answer(
                    JsonRpcFrames.error(null, JsonRpcErrorCode.INVALID_REQUEST, "no batches in this revision", null));
            return;
        }
        BatchOutbox together = new BatchOutbox(outbox, expected);
        messages.stream().filter(wantsAnAnswer).forEach(message -> receive(message, together));
        messages.stream().filter(wantsAnAnswer.negate()).forEach(message -> receive(message, new Nowhere()));
        if (expected == 0) {
            outbox.finish();
        }
    }

    private void notified(Message.Notification notification, Outbox outbox) {
        RequestId cancelled = Answers.cancelledBy(notification);
        if (cancelled != null) {
            conversation.running().cancel(cancelled);
        }
        outbox.finish();
    }

    private void request(Message.Request request, Outbox outbox) {
        boolean early = conversation.revision().isEmpty() && !isAllowedEarly(request.method());
        if (early) {
            fixture.script().fault(FaultKind.EXIT_ON_EARLY_REQUEST).ifPresent(this::exit);
        }
        if (answers.hangsOn(request.method())) {
            return;
        }
        try {
            if (early) {
                throw new RpcFault(JsonRpcErrorCode.INVALID_REQUEST, "the conversation begins with initialize", null);
            }
            answer(request, outbox);
        } catch (RpcFault fault) {
            outbox.answer(JsonRpcFrames.error(request.id(), fault.code(), fault.message(), fault.data()));
        }
    }

    private static boolean isAllowedEarly(String method) {
        return method.equals("initialize") || method.equals("ping");
    }

    private void exit(Fault fault) {
        try {
            fixture.host().crash(fault.effectiveValue());
        } catch (ToolFault e) {
            throw new IllegalStateException(e.message(), e);
        }
    }

    private void answer(Message.Request request, Outbox outbox) throws RpcFault {
        JsonView params = request.params();
        switch (request.method()) {
            case "tools/call" -> Call.start(new Exchange(conversation, request, outbox), answers.tool(params));
            case "prompts/get" ->
                Call.start(new Exchange(conversation, request, outbox), request.method(), fixture.prompts()::render);
            case "resources/read" ->
                Call.start(new Exchange(conversation, request, outbox), request.method(), Resources::read);
            default -> outbox.answer(JsonRpcFrames.result(request.id(), result(request.method(), params)));
        }
    }

    private String result(String method, @Nullable JsonView params) throws RpcFault {
        return switch (method) {
            case "initialize" -> initialize(params);
            case "ping" -> "{}";
            case "logging/setLevel" -> {
                conversation.logFrom(Answers.text(params, "level"));
                yield "{}";
            }
            case "resources/subscribe" -> {
                conversation.subscribe(Answers.text(params, "uri"));
                yield "{}";
            }
            case "resources/unsubscribe" -> {
                conversation.unsubscribe(Answers.text(params, "uri"));
                yield "{}";
            }
            default -> answers.result(method, params);
        };
    }

    private String initialize(@Nullable JsonView params) throws RpcFault {
        String asked = Answers.text(params, "protocolVersion");
        String agreed = REVISIONS.contains(asked) ? asked : REVISIONS.getLast();
        String told = fixture.script()
                .fault(FaultKind.PROTOCOL_VERSION)
                .map(Fault::effectiveValue)
                .orElse(agreed);
        conversation.agree(told, params == null ? null : params.member("capabilities"));
        return "{\"protocolVersion\":" + Content.quoted(told) + ",\"capabilities\":" + Answers.CAPABILITIES
                + ",\"serverInfo\":" + Answers.SERVER_INFO + ",\"instructions\":" + Answers.INSTRUCTIONS + "}";
    }
}
