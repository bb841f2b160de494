package dev.fusebox.oauth.login;

import dev.fusebox.protocol.HeaderValueEncoding;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The response to an authorization request, checked in the order of the specification: state, issuer (RFC 9207,
/// 2.4), and only then its content. Immutable. No text of the response is shown, except error codes that are known.
///
/// Only a response with the right state can end the login: a web page could send any other.
public sealed interface AuthorizationResponse {
    /// The authorization code.
    record Code(String code) implements AuthorizationResponse {
        @Override
        public String toString() {
            return "Code";
        }
    }

    /// The authorization server or the person said no, or the response to the request cannot be accepted.
    ///
    /// @param reason for people
    record Denied(String reason) implements AuthorizationResponse {}

    /// It is not known to be the response to the request, and has no effect.
    ///
    /// @param reason for people
    record Invalid(String reason) implements AuthorizationResponse {}

    /// The longest query of a response.
    int MAX_LENGTH = 8 << 10;

    /// Of a pasted address.
    String INCOMPLETE = "the address is incomplete; paste all of it";

    /// What distinguishes a query from a code, which may contain equals signs.
    Pattern QUERY = Pattern.compile("(^|&)(code|state|error|iss)=");

    /// The error codes of RFC 6749, 4.1.2.1, and of OpenID Connect.
    Set<String> ERRORS = Set.of(
            "invalid_request",
            "unauthorized_client",
            "access_denied",
            "unsupported_response_type",
            "invalid_scope",
            "server_error",
            "temporarily_unavailable",
            "interaction_required",
            "login_required",
            "consent_required",
            "invalid_target");

    /// Reads the query of a callback.
    static AuthorizationResponse of(String query, AuthorizationRequest request) {
        Map<String, String> parameters = parameters(query);
        return parameters == null
                ? new Invalid("the callback is not a valid query, or has a parameter twice")
                : of(parameters, request);
    }

    /// Reads what a person has pasted: the whole URL of the callback, its query, or the code alone.
    static AuthorizationResponse pasted(String text, AuthorizationRequest request) {
        String plain = unquoted(text.strip());
        int question = plain.indexOf('?');
        if (question >= 0 || QUERY.matcher(plain).find()) {
            String query = plain.substring(question + 1);
            int fragment = query.indexOf('#');
            String whole = fragment < 0 ? query : query.substring(0, fragment);
            String problem = incomplete(parameters(whole), request);
            return problem == null ? of(whole, request) : new Invalid(problem);
        }
        if (plain.startsWith("http:") || plain.startsWith("https:")) {
            return new Invalid(INCOMPLETE);
        }
        if (plain.length() > MAX_LENGTH || !HeaderValueEncoding.isVisible(plain)) {
            return new Invalid("that is neither the URL of the callback nor a code");
        }
        return request.announcesIssuer()
                ? new Invalid("a code alone is not enough for this authorization server; paste the whole address")
                : new Code(unescaped(plain));
    }

    private static String unquoted(String text) {
        boolean isQuoted = text.length() > 1
                && (text.charAt(0) == '\'' || text.charAt(0) == '"')
                && text.charAt(0) == text.charAt(text.length() - 1);
        return isQuoted ? text.substring(1, text.length() - 1) : text;
    }

    /// A mistake of a person does not end the login; null if the text may be the response.
    private static @Nullable String incomplete(@Nullable Map<String, String> parameters, AuthorizationRequest request) {
        if (parameters == null) {
            return null;
        }
        if (!parameters.containsKey("code") && !parameters.containsKey("error")) {
            return "that is not the address of the last page, which contains code=; paste the address that the browser"
                    + " shows after the login";
        }
        String state = parameters.get("state");
        boolean isWhole = state != null && (parameters.containsKey("iss") || !request.announcesIssuer());
        boolean isOther = state != null && !isEqual(state, request.state());
        return isWhole || isOther ? null : INCOMPLETE;
    }

    /// The code alone comes from an address, in which some characters are escaped.
    private static String unescaped(String code) {
        try {
            String plain = decoded(code.replace("+", "%2B"));
            return plain.matches("[!-~]+") ? plain : code;
        } catch (IllegalArgumentException notEscaped) {
            return code;
        }
    }

    private static AuthorizationResponse of(Map<String, String> parameters, AuthorizationRequest request) {
        if (!isEqual(parameters.get("state"), request.state())) {
            return new Invalid("the callback belongs to another login (state)");
        }
        String issuer = parameters.get("iss");
        if (issuer == null && request.announcesIssuer()) {
            return new Denied("the callback does not say which authorization server it comes from (iss)");
        }
        if (issuer != null && !issuer.equals(request.issuer())) {
            return new Denied("the callback comes from another authorization server (iss)");
        }
        String error = parameters.get("error");
        if (error != null) {
            return new Denied(denied(error));
        }
        String code = parameters.get("code");
        if (code == null || code.isEmpty()) {
            return new Denied("the callback contains no code");
        }
        return HeaderValueEncoding.isVisible(code)
                ? new Code(code)
                : new Denied("the code in the callback has characters that no code may have");
    }

    private static boolean isEqual(@Nullable String given, String expected) {
        return given != null
                && MessageDigest.isEqual(
                        given.getBytes(StandardCharsets.UTF_8), expected.getBytes(StandardCharsets.UTF_8));
    }

    private static String denied(String error) {
        return error.equals("access_denied")
                ? "access was denied"
                : "the authorization server refused: " + (ERRORS.contains(error) ? error : "unknown error code");
    }

    /// Null if the query is not valid.
    private static @Nullable Map<String, String> parameters(String query) {
        Map<String, String> parameters = new HashMap<>();
        if (query.length() > MAX_LENGTH) {
            return null;
        }
        for (String pair : query.split("&", -1)) {
            int equals = pair.indexOf('=');
            try {
                String name = decoded(equals < 0 ? pair : pair.substring(0, equals));
                String value = equals < 0 ? "" : decoded(pair.substring(equals + 1));
                if (parameters.putIfAbsent(name, value) != null) {
                    return null;
                }
            } catch (IllegalArgumentException malformed) {
                return null;
            }
        }
        return parameters;
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }
}
