package dev.fusebox.protocol;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Reader of the outermost object of a message. Names must be exact and unique: a second `method`, or a `Method`
/// beside it, could mean one thing to the gateway and another to the next reader. For one thread, used once.
final class Envelope {
    private @Nullable JsonView version;
    private @Nullable JsonView id;
    private @Nullable JsonView method;
    private @Nullable JsonView params;
    private @Nullable JsonView result;
    private @Nullable JsonView error;
    private @Nullable String fault;

    private Envelope() {}

    static Message read(JsonView frame) {
        if (!frame.isObject()) {
            return new Message.Malformed(JsonRpcErrorCode.INVALID_REQUEST, "a message must be an object", null);
        }
        Envelope envelope = new Envelope();
        frame.forEachMember(envelope::take);
        return envelope.message(frame);
    }

    private void take(String name, JsonView value) {
        switch (name) {
            case "jsonrpc" -> version = once(name, version, value);
            case "id" -> id = once(name, id, value);
            case "method" -> method = once(name, method, value);
            case "result" -> result = once(name, result, value);
            case "error" -> error = once(name, error, value);
            case "params" -> params = checkedParams(once(name, params, value));
            default -> checkCapitals(name);
        }
    }

    private JsonView once(String name, @Nullable JsonView known, JsonView value) {
        if (known != null) {
            fault = "duplicate member \"" + name + "\"";
        }
        return value;
    }

    private JsonView checkedParams(JsonView value) {
        if (!value.isObject() && !value.isArray()) {
            fault = "\"params\" is neither an object nor an array";
        }
        return value;
    }

    private void checkCapitals(String name) {
        switch (name.toLowerCase(Locale.ROOT)) {
            case "jsonrpc", "id", "method", "result", "error", "params" ->
                fault = "a known member name with wrong capitals";
            default -> {}
        }
    }

    private Message message(JsonView frame) {
        RequestId requestId = id == null ? null : RequestId.read(id);
        String wrong = wrong(requestId);
        if (wrong != null) {
            return new Message.Malformed(JsonRpcErrorCode.INVALID_REQUEST, wrong, requestId);
        }
        String name = method == null ? null : method.string();
        if (name == null) {
            return requestId == null ? noAnswer() : new Message.Answer(frame, requestId, result, error, false);
        }
        return requestId == null ? new Message.Notification(frame, name) : new Message.Request(frame, requestId, name);
    }

    private static Message noAnswer() {
        return new Message.Malformed(JsonRpcErrorCode.INVALID_REQUEST, "a response without an id", null);
    }

    private @Nullable String wrong(@Nullable RequestId requestId) {
        if (fault != null) {
            return fault;
        }
        if (version == null || !"2.0".equals(version.string())) {
            return "\"jsonrpc\" is not \"2.0\"";
        }
        if (id != null && requestId == null) {
            return "\"id\" is neither a string nor a number";
        }
        if (method != null) {
            return !method.isString()
                    ? "\"method\" is not a string"
                    : hasAnswer() ? "a request with a result or an error" : null;
        }
        return (result == null) == (error == null) ? "neither a request nor a response" : null;
    }

    private boolean hasAnswer() {
        return result != null || error != null;
    }
}
