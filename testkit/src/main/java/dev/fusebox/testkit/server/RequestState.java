package dev.fusebox.testkit.server;

import dev.fusebox.protocol.JsonView;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// What a server knew when it asked its client, in the hands of that client: the answers it had, for one tool,
/// prompt or resource only, sealed so that it comes back as it was or not at all (2026-07-28, multi round-trip
/// requests). Pure functions.
final class RequestState {
    private static final String ALGORITHM = "HmacSHA256";
    /// No secret, and the same in every process: a state outlives the server that made it.
    private static final byte[] KEY = "a server for tests".getBytes(StandardCharsets.UTF_8);

    private RequestState() {}

    /// @param params of the request that is answered
    static String sealed(Map<String, JsonView> answers, JsonView params) {
        String known = answers.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(answer -> ToolContent.quoted(answer.getKey()) + ":"
                        + answer.getValue().json())
                .collect(Collectors.joining(","));
        String state = "{\"for\":" + ToolContent.quoted(name(params)) + ",\"answers\":{" + known + "}}";
        byte[] bytes = state.getBytes(StandardCharsets.UTF_8);
        return encoded(bytes) + "." + encoded(seal(bytes));
    }

    /// The answers in the state that a request brings back; none if it brings none.
    static Map<String, JsonView> opened(JsonView params) throws RpcError {
        var answers = new HashMap<String, JsonView>();
        JsonView brought = params.member("requestState");
        if (brought == null) {
            return answers;
        }
        JsonView state = checked(String.valueOf(brought.string()));
        if (!name(params).equals(state.string("for"))) {
            throw refusal();
        }
        JsonView known = state.member("answers");
        if (known != null) {
            known.forEachMember(answers::put);
        }
        return answers;
    }

    private static JsonView checked(String text) throws RpcError {
        int dot = text.indexOf('.');
        try {
            byte[] bytes = Base64.getUrlDecoder().decode(text.substring(0, Math.max(dot, 0)));
            byte[] found = Base64.getUrlDecoder().decode(text.substring(dot + 1));
            if (MessageDigest.isEqual(seal(bytes), found)) {
                return JsonView.of(new String(bytes, StandardCharsets.UTF_8));
            }
        } catch (IllegalArgumentException e) {
            // Not even written as we write it.
        }
        throw refusal();
    }

    private static RpcError refusal() {
        return RpcError.invalidParams("requestState is not as this server made it for this request");
    }

    private static String name(JsonView params) {
        String name = params.string("name");
        return name == null ? String.valueOf(params.string("uri")) : name;
    }

    private static String encoded(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    private static byte[] seal(byte[] bytes) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(KEY, ALGORITHM));
            return mac.doFinal(bytes);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has " + ALGORITHM, e);
        }
    }
}
