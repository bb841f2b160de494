package dev.fusebox.testkit.server;

import dev.fusebox.protocol.JsonRpcFrames;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.RequestId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The client of one request of the stateless era: all that is known of it stands in the request. Belongs to the
/// thread of its call; nothing blocks.
final class ModernClient implements CallClient {
    /// Begins every result: who answers.
    static final String SIGNATURE =
            "\"_meta\":{\"" + RequestMeta.SERVER_INFO + "\":" + CommonResults.SERVER_INFO + "},";

    private final Fixture fixture;
    private final RunningCalls runningCalls;
    private final RequestMeta meta;
    private @Nullable Map<String, JsonView> brought;

    ModernClient(Fixture fixture, RunningCalls runningCalls, RequestMeta meta) {
        this.fixture = fixture;
        this.runningCalls = runningCalls;
        this.meta = meta;
    }

    @Override
    public Fixture fixture() {
        return fixture;
    }

    @Override
    public RunningCalls runningCalls() {
        return runningCalls;
    }

    @Override
    public String resultType() {
        return "complete";
    }

    @Override
    public String signature() {
        return SIGNATURE;
    }

    @Override
    public boolean can(String capability) {
        return meta.capabilities().member(capability) != null;
    }

    @Override
    public NoResult lacks(String capability) {
        return RpcError.missingCapability(capability);
    }

    @Override
    public void log(String level, String text, Outbox outbox) {
        List<String> levels = LegacyClientState.LEVELS;
        if (!meta.logLevel().isEmpty() && levels.indexOf(level) >= levels.indexOf(meta.logLevel())) {
            outbox.send(ToolContent.logMessage(level, text));
        }
    }

    /// Finds the answers in the request, which is one that was made again, or else ends the call with the
    /// questions.
    @Override
    public Map<String, JsonView> ask(List<ClientQuestion> questions, CallContext callContext) throws NoResult {
        Map<String, JsonView> known = brought(callContext.params());
        var open = questions.stream()
                .filter(question -> !known.containsKey(question.key()))
                .toList();
        for (ClientQuestion question : open) {
            callContext.require(question.capability());
        }
        if (open.isEmpty()) {
            return known;
        }
        boolean stateful = questions.stream().anyMatch(ClientQuestion::stateful);
        throw new InputRequired(open, stateful ? RequestState.sealed(known, callContext.params()) : "");
    }

    /// The answers that the request has, those of earlier rounds included.
    private Map<String, JsonView> brought(JsonView params) throws RpcError {
        Map<String, JsonView> known = brought;
        if (known == null) {
            known = new HashMap<>(RequestState.opened(params));
            known.putAll(responses(params.member("inputResponses")));
            brought = known;
        }
        return known;
    }

    private static Map<String, JsonView> responses(@Nullable JsonView given) throws RpcError {
        var responses = new HashMap<String, JsonView>();
        if (given == null) {
            return responses;
        }
        given.forEachMember(responses::put);
        if (!given.isObject() || !responses.values().stream().allMatch(JsonView::isObject)) {
            throw RpcError.invalidParams("inputResponses is an object of objects, one for each question");
        }
        return responses;
    }

    /// There are no requests of servers in this era, and so no answers to them.
    @Override
    public String demand(String method, Outbox outbox) {
        outbox.send(JsonRpcFrames.request(RequestId.of("fixture-demand"), method, "{}"));
        return "sent";
    }
}
