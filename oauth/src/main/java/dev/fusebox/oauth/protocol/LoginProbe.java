package dev.fusebox.oauth.protocol;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.fusebox.client.http.HttpFailure;
import dev.fusebox.client.http.WebResponse;
import dev.fusebox.platform.Platform;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import org.jspecify.annotations.Nullable;

/// Requests without a token and without effect, for the examination of a login. Thread-safe; each blocks until it is
/// answered or its limit is reached.
public final class LoginProbe {
    private static final Duration LIMIT = Duration.ofSeconds(10);
    private static final byte[] PING = "{\"jsonrpc\":\"2.0\",\"id\":\"doctor\",\"method\":\"ping\"}".getBytes(UTF_8);
    private static final int UNAUTHORIZED = 401;

    private final Platform platform;
    private final LoginSettings settings;
    private final OAuthRequests requests;

    public LoginProbe(OAuthContext context, LoginSettings settings) {
        this.platform = context.platform();
        this.settings = settings;
        this.requests = new OAuthRequests(context, settings);
    }

    /// What a server answers to a request without a token. Immutable.
    ///
    /// @param challenge null if there is none
    /// @param clockOffset how far its clock is ahead of that of this machine; null if it does not say
    public record ProbeAnswer(
            int status,
            @Nullable AuthChallenge challenge,
            @Nullable Duration clockOffset) {
        /// Whether it demands a login.
        public boolean demandsLogin() {
            return status == UNAUTHORIZED;
        }
    }

    /// The answer of the MCP server; null if there is none.
    public @Nullable ProbeAnswer server() {
        try {
            WebResponse response = requests.toServer(settings.serverUrl(), PING, requests.deadline(LIMIT));
            return new ProbeAnswer(
                    response.status(), AuthChallenge.of(response.headers("www-authenticate")), offset(response));
        } catch (HttpFailure | InvalidMetadata unanswered) {
            return null;
        }
    }

    /// How far the clock of an authorization server is ahead of that of this machine; null if it does not say.
    public @Nullable Duration clockOffset(IssuerMetadata issuer) {
        try {
            return offset(requests.ofIssuer(issuer.issuer(), issuer.location(), requests.deadline(LIMIT)));
        } catch (HttpFailure | InvalidMetadata unanswered) {
            return null;
        }
    }

    /// The header field has whole seconds.
    private @Nullable Duration offset(WebResponse response) {
        String date = response.header("date");
        try {
            return date == null
                    ? null
                    : Duration.between(
                            platform.wallClock().instant(),
                            ZonedDateTime.parse(date, DateTimeFormatter.RFC_1123_DATE_TIME)
                                    .toInstant());
        } catch (DateTimeException noDate) {
            return null;
        }
    }
}
