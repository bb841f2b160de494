package dev.fusebox.oauth.protocol;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.http.WebResponse;
import dev.fusebox.oauth.token.RefreshFailure;
import dev.fusebox.oauth.token.Tokens;
import dev.fusebox.protocol.HeaderValueEncoding;
import dev.fusebox.protocol.HiddenCharacters;
import dev.fusebox.protocol.JsonView;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Reader of the answers of token endpoints (RFC 6749, 5). Pure functions; nothing blocks.
final class TokenAnswerReader {
    private static final int SERVER_ERROR = 500;
    private static final int TOO_MANY_REQUESTS = 429;
    /// A longer lifetime is a mistake, or means that the token does not expire.
    private static final long LONGEST_SECONDS = Duration.ofDays(3_660).toSeconds();

    private static final int MAX_ID_TOKEN = 32 << 10;
    private static final int MAX_ACCOUNT = 100;

    private TokenAnswerReader() {}

    /// @param sentAt when the request was sent, so that the expiry is rather too early
    static TokenAnswer read(String issuer, WebResponse response, Instant sentAt) {
        int status = response.status();
        String code = ErrorCodes.of(response);
        boolean isRefusal = status < SERVER_ERROR && status != TOO_MANY_REQUESTS && !code.isEmpty();
        // Some servers refuse with HTTP 200.
        if (isRefusal && !(response.isSuccess() && hasToken(response))) {
            return code.equals("temporarily_unavailable") || code.equals("server_error")
                    ? unclear(issuer + " refused for now (" + code + ")", response, sentAt)
                    : new TokenAnswer.Refused(code);
        }
        if (!response.isSuccess()) {
            return unclear(issuer + " answered the token request with HTTP " + status, response, sentAt);
        }
        try {
            return issued(MetadataReader.of(response.body()), sentAt);
        } catch (InvalidMetadata wrong) {
            return unclear(
                    issuer + " answered the token request without usable tokens: " + wrong.reason(), response, sentAt);
        }
    }

    /// There was no response.
    static TokenAnswer failed(CallFailure failure) {
        RefreshFailure.Kind kind = switch (failure.delivery()) {
            case NOT_SENT -> RefreshFailure.Kind.NOT_SENT;
            case REJECTED -> RefreshFailure.Kind.REFUSED_FOR_NOW;
            case UNKNOWN -> RefreshFailure.Kind.NO_ANSWER;
        };
        return new TokenAnswer.Unclear(new RefreshFailure(kind, failure.message()), failure.retryAfter());
    }

    private static TokenAnswer unclear(String message, WebResponse response, Instant now) {
        return new TokenAnswer.Unclear(
                new RefreshFailure(RefreshFailure.Kind.REFUSED_FOR_NOW, message), response.retryAfter(now));
    }

    private static boolean hasToken(WebResponse response) {
        try {
            return MetadataReader.of(response.body()).member("access_token") != null;
        } catch (InvalidMetadata none) {
            return false;
        }
    }

    private static TokenAnswer issued(MetadataReader reader, Instant sentAt) throws InvalidMetadata {
        String type = reader.requiredText("token_type");
        if (!type.equalsIgnoreCase("bearer")) {
            throw new InvalidMetadata("token_type is not Bearer");
        }
        String access = token(reader.requiredText("access_token"), "access_token");
        String refresh = reader.text("refresh_token");
        Tokens tokens = new Tokens(
                access,
                refresh == null || refresh.isEmpty() ? null : token(refresh, "refresh_token"),
                sentAt,
                expiry(reader, sentAt),
                scopes(reader));
        return new TokenAnswer.Issued(tokens, account(reader));
    }

    /// A token goes into header fields and forms: visible ASCII.
    private static String token(String text, String name) throws InvalidMetadata {
        if (!HeaderValueEncoding.isVisible(text)) {
            throw new InvalidMetadata(name + " has characters that no token may have");
        }
        return text;
    }

    /// Null for every lifetime that makes no sense: then the token is used until it is rejected.
    private static @Nullable Instant expiry(MetadataReader reader, Instant sentAt) {
        JsonView member = reader.member("expires_in");
        Long seconds = member == null ? null : Numbers.seconds(member);
        return seconds == null || seconds > LONGEST_SECONDS ? null : sentAt.plusSeconds(seconds);
    }

    /// Empty if the server granted what was requested, or says it in another way.
    private static Set<String> scopes(MetadataReader reader) {
        JsonView member = reader.member("scope");
        String list = member == null ? null : member.string();
        return Scopes.parse(list == null ? "" : list);
    }

    // ---- Account

    /// The name in the payload of the ID token. Its signature is not verified, so it is for display only.
    private static @Nullable String account(MetadataReader reader) {
        JsonView member = reader.member("id_token");
        String token = member == null || member.length() > MAX_ID_TOKEN ? null : member.string();
        String[] parts = token == null ? new String[0] : token.split("\\.", -1);
        if (parts.length != 3) {
            return null;
        }
        try {
            MetadataReader claims = MetadataReader.of(Base64.getUrlDecoder().decode(parts[1]));
            for (String name : new String[] {"email", "preferred_username", "sub"}) {
                String account = claims.text(name);
                if (account != null && !account.isBlank()) {
                    return shown(account);
                }
            }
            return null;
        } catch (IllegalArgumentException | InvalidMetadata unreadable) {
            return null;
        }
    }

    private static String shown(String account) {
        String line = HiddenCharacters.line(account).strip();
        return line.codePointCount(0, line.length()) <= MAX_ACCOUNT
                ? line
                : line.substring(0, line.offsetByCodePoints(0, MAX_ACCOUNT));
    }
}
