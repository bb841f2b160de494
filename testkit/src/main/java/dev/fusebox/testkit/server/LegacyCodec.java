package dev.fusebox.testkit.server;

import dev.fusebox.protocol.ErrorCode;
import dev.fusebox.protocol.Frames;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.RequestId;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The era of sessions: a conversation begins with `initialize`, and the server may ask the client.
final class LegacyCodec implements Codec {
    /// From the oldest to the newest.
    static final List<String> REVISIONS = List.of("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25");
    /// The only revision with several messages in one.
    private static final String WITH_BATCHES = "2025-03-26";

    private static final String CAPABILITIES = """
            {"tools":{"listChanged":true},"resources":{"subscribe":true,"listChanged":true},\
            "prompts":{"listChanged":true},"logging":{},"completions":{}}""";

    private final Fixture fixture;
    private final Conversation conversation;

    LegacyCodec(Conversation conversation) {
        this.fixture = conversation.fixture();
        this.conversation = conversation;
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
                outbox.answer(Frames.error(malformed.id(), malformed.code(), malformed.reason(), null));
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
            outbox.answer(Frames.error(null, ErrorCode.INVALID_REQUEST, "no batches in this revision", null));
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
        JsonView params = notification.params();
        JsonView id = params == null ? null : params.member("requestId");
        if (notification.method().equals("notifications/cancelled") && id != null) {
            conversation.cancel(idOf(id));
        }
        outbox.finish();
    }

    private static RequestId idOf(JsonView id) {
        String text = id.string();
        return text == null ? new RequestId(id.json()) : RequestId.of(text);
    }

    private void request(Message.Request request, Outbox outbox) {
        boolean early = conversation.revision().isEmpty() && !isAllowedEarly(request.method());
        if (early) {
            fixture.script().fault(FaultKind.EXIT_ON_EARLY_REQUEST).ifPresent(this::exit);
        }
        try {
            if (early) {
                throw new RpcFault(ErrorCode.INVALID_REQUEST, "the conversation begins with initialize", null);
            }
            if (request.method().equals("tools/call")) {
                call(request, outbox);
                return;
            }
            Optional<String> result = result(request.method(), request.params());
            result.ifPresent(json -> outbox.answer(Frames.result(request.id(), json)));
        } catch (RpcFault fault) {
            outbox.answer(Frames.error(request.id(), fault.code(), fault.message(), fault.data()));
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

    private void call(Message.Request request, Outbox outbox) throws RpcFault {
        JsonView params = request.params();
        String name = params == null ? null : params.string("name");
        Tool tool = fixture.catalogue()
                .tool(name)
                .orElseThrow(() -> RpcFault.invalidParams("there is no tool '" + name + "'"));
        Exchange exchange = new Exchange(conversation, request.id(), params, outbox);
        Call.start(exchange, tool);
    }

    /// The result of everything but calls of tools; empty if there shall be no answer.
    private Optional<String> result(String method, @Nullable JsonView params) throws RpcFault {
        return switch (method) {
            case "initialize" -> initialize(params);
            case "tools/list" ->
                fixture.script().has(FaultKind.HANG_ON_TOOLS_LIST)
                        ? Optional.empty()
                        : Optional.of(fixture.catalogue().list(params));
            case "ping" -> Optional.of("{}");
            case "logging/setLevel" -> {
                conversation.logFrom(text(params, "level"));
                yield Optional.of("{}");
            }
            case "completion/complete" -> Optional.of(Prompts.complete(beginning(params)));
            case "prompts/list" -> Optional.of(page("prompts", Prompts.entries(), params));
            case "prompts/get" ->
                Optional.of(Prompts.render(text(params, "name"), params == null ? null : params.member("arguments")));
            default -> Optional.of(ofResources(method, params));
        };
    }

    private String ofResources(String method, @Nullable JsonView params) throws RpcFault {
        return switch (method) {
            case "resources/list" -> page("resources", Resources.entries(), params);
            case "resources/templates/list" -> page("resourceTemplates", Resources.templates(), params);
            case "resources/read" -> read(text(params, "uri"));
            case "resources/subscribe" -> {
                conversation.subscribe(text(params, "uri"));
                yield "{}";
            }
            case "resources/unsubscribe" -> {
                conversation.unsubscribe(text(params, "uri"));
                yield "{}";
            }
            default -> throw new RpcFault(ErrorCode.METHOD_NOT_FOUND, "there is no method '" + method + "'", null);
        };
    }

    private Optional<String> initialize(@Nullable JsonView params) throws RpcFault {
        if (fixture.script().has(FaultKind.HANG_ON_INITIALIZE)) {
            return Optional.empty();
        }
        String asked = text(params, "protocolVersion");
        String agreed = REVISIONS.contains(asked) ? asked : REVISIONS.getLast();
        String told = fixture.script()
                .fault(FaultKind.PROTOCOL_VERSION)
                .map(Fault::effectiveValue)
                .orElse(agreed);
        conversation.agree(told, params == null ? null : params.member("capabilities"));
        return Optional.of("{\"protocolVersion\":" + Content.quoted(told) + ",\"capabilities\":" + CAPABILITIES
                + ",\"serverInfo\":{\"name\":\"fusebox-fixture\",\"version\":\"1\"},"
                + "\"instructions\":\"A server for tests.\"}");
    }

    private static String read(String uri) throws RpcFault {
        return Resources.read(uri)
                .orElseThrow(() -> new RpcFault(
                        ErrorCode.RESOURCE_NOT_FOUND,
                        "there is no resource '" + uri + "'",
                        "{\"uri\":" + Content.quoted(uri) + "}"));
    }

    private String page(String name, List<String> entries, @Nullable JsonView params) throws RpcFault {
        return fixture.catalogue().pages().page(name, entries, params);
    }

    private static String beginning(@Nullable JsonView params) throws RpcFault {
        JsonView value = params == null ? null : params.path("argument", "value");
        return Optional.ofNullable(value)
                .map(JsonView::string)
                .orElseThrow(() -> RpcFault.invalidParams("argument.value is missing"));
    }

    private static String text(@Nullable JsonView params, String name) throws RpcFault {
        String value = params == null ? null : params.string(name);
        return Optional.ofNullable(value).orElseThrow(() -> RpcFault.invalidParams(name + " is missing"));
    }
}
