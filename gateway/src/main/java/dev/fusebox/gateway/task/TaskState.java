package dev.fusebox.gateway.task;

import dev.fusebox.client.Call;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The `requestState` of a followed task, which the client returns with its answers. Immutable.
///
/// @param signedId the id of the task, as clients know it
/// @param own the server's own id
/// @param answered the keys of the questions that the client has answered; a server may repeat them until it has
///     processed the answers
record TaskState(String signedId, String own, Set<String> answered) {
    private static final String TASK = "fusebox/task";

    TaskState {
        answered = Set.copyOf(answered);
    }

    /// The state of a task that has asked nothing yet.
    static TaskState of(String signedId, TaskId id) {
        return new TaskState(signedId, id.own(), Set.of());
    }

    /// The signed id of the task that a call continues; null if it continues none.
    static @Nullable String signedIdIn(Call call) {
        JsonView signedId = call.request().frame().path("params", "requestState", TASK);
        return signedId == null ? null : signedId.string();
    }

    /// The state that a client has brought back, with the keys of the answers that came with it.
    static TaskState in(Call call, String signedId, TaskId id) {
        Set<String> keys = new LinkedHashSet<>();
        JsonView before = call.request().frame().path("params", "requestState", "answered");
        if (before != null) {
            before.elements().stream()
                    .filter(JsonView::isString)
                    .map(JsonView::string)
                    .forEach(keys::add);
        }
        JsonView responses = responses(call);
        if (responses != null) {
            responses.forEachMember((key, response) -> keys.add(key));
        }
        return new TaskState(signedId, id.own(), keys);
    }

    static @Nullable JsonView responses(Call call) {
        JsonView responses = call.request().frame().path("params", "inputResponses");
        return responses == null || !responses.isObject() ? null : responses;
    }

    /// Whether some of these questions are not answered.
    boolean hasUnanswered(@Nullable JsonView questions) {
        return !open(questions).isEmpty();
    }

    private Set<String> open(@Nullable JsonView questions) {
        Set<String> open = new LinkedHashSet<>();
        if (questions != null && questions.isObject()) {
            questions.forEachMember((key, question) -> open.add(key));
        }
        open.removeAll(answered);
        return open;
    }

    /// The result that asks the client what the task asks.
    String asQuestion(JsonView state) {
        JsonView questions = state.member("inputRequests");
        Set<String> open = open(questions);
        JsonWriter result = new JsonWriter().beginObject().name("resultType").string("input_required");
        result.name("inputRequests").beginObject();
        if (questions != null) {
            questions.forEachMember((key, question) -> {
                if (open.contains(key)) {
                    result.name(key).raw(question);
                }
            });
        }
        result.endObject().name("requestState").beginObject().name(TASK).string(signedId);
        result.name("answered").beginArray();
        answered.forEach(result::string);
        return result.endArray().endObject().endObject().toString();
    }
}
