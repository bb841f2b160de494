package dev.fusebox.gateway.era;

import dev.fusebox.client.Caller;
import dev.fusebox.client.Deadline;
import dev.fusebox.client.Promise;
import dev.fusebox.client.ReplyHandler;
import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.JsonRpcFrames;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.RequestId;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The questions of one `input_required` result, sent to a legacy client as requests. Thread-safe; [#answers]
/// blocks.
final class InputRound implements ReplyHandler {
    private final Map<String, @Nullable JsonView> answers = new LinkedHashMap<>();
    private final Promise<Boolean> complete = new Promise<>();
    private int open;
    private boolean refused;

    /// Sends all questions to the client, and returns its answers by key as JSON; null if it refused one or
    /// took too long.
    @Nullable
    String answers(JsonView inputRequests, Caller client, Deadline deadline, Platform platform)
            throws InterruptedException {
        Map<String, JsonView> questions = new LinkedHashMap<>();
        inputRequests.forEachMember(questions::put);
        synchronized (this) {
            open = questions.size();
            questions.keySet().forEach(key -> answers.put(key, null));
        }
        questions.forEach((key, question) -> ask(key, question, client));
        if (!questions.isEmpty()) {
            deadline.await(complete, platform);
        }
        return json();
    }

    private void ask(String key, JsonView question, Caller client) {
        String method = question.string("method");
        JsonView params = question.member("params");
        byte[] frame = JsonRpcFrames.request(
                RequestId.of(key), method == null ? "" : method, params == null ? null : params.json());
        boolean isAsked = Message.read(frame) instanceof Message.Request request && client.onRequest(this, request);
        if (!isAsked) {
            refuse();
        }
    }

    private void refuse() {
        synchronized (this) {
            refused = true;
        }
        complete.complete(true);
    }

    @Override
    public void answer(JsonView answer, RequestId question) {
        JsonView result = answer.member("result");
        if (result == null) {
            refuse();
            return;
        }
        boolean isLast;
        synchronized (this) {
            String key = JsonView.of(question.json()).string();
            isLast = key != null && answers.replace(key, null, result) && --open == 0;
        }
        if (isLast) {
            complete.complete(true);
        }
    }

    @Override
    public void sendOneWay(byte[] refusal) {
        refuse();
    }

    private synchronized @Nullable String json() {
        if (refused || open > 0) {
            return null;
        }
        JsonWriter json = new JsonWriter().beginObject();
        answers.forEach((key, answer) -> json.name(key).raw(answer == null ? "null" : answer.json()));
        return json.endObject().toString();
    }
}
