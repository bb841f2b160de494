package dev.fusebox.oauth.protocol;

import dev.fusebox.client.ErrorId;
import dev.fusebox.client.http.HttpFailure;
import dev.fusebox.client.http.WebResponse;
import dev.fusebox.oauth.token.RefreshFailure;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Requests to the endpoints of an authorization server that issue and revoke tokens, for the login to one MCP server.
/// Thread-safe; each blocks for its turn and the request, for 40 s at most if not stated otherwise.
public final class TokenRequests {
    /// How long a code may wait while no request is sent: it can be redeemed only now, by a person who is waiting.
    private static final Duration CODE_PATIENCE = Duration.ofSeconds(25);

    private final OAuthContext context;
    private final OAuthRequests requests;
    private final ClientAuthentication clientAuthentication;

    public TokenRequests(OAuthContext context, LoginSettings settings) {
        this.context = context;
        this.requests = new OAuthRequests(context, settings);
        this.clientAuthentication = new ClientAuthentication(context.platform(), settings.privateKey());
    }

    /// What all token requests of one login have in common. Immutable.
    ///
    /// @param resource to be sent in `resource`
    public record Client(IssuerMetadata issuer, ClientRegistration registration, String resource) {}

    /// An authorization code and what it is redeemed with. Immutable. Its text form contains neither.
    public record CodeGrant(String code, String verifier, String redirectUri) {
        @Override
        public String toString() {
            return "CodeGrant[" + redirectUri + "]";
        }
    }

    /// Redeems an authorization code (RFC 6749, 4.1.3; RFC 7636, 4.5). If it cannot be sent because earlier requests
    /// to the server failed, it is tried again for 25 s.
    public TokenAnswer redeem(Client client, CodeGrant codeGrant) throws OAuthException {
        long begun = context.platform().ticker().nanos();
        while (true) {
            TokenAnswer answer = token(
                    client,
                    grant("authorization_code", client)
                            .add("code", codeGrant.code())
                            .add("redirect_uri", codeGrant.redirectUri())
                            .add("code_verifier", codeGrant.verifier()));
            Duration pause = pauseBeforeSending(answer);
            long waited = context.platform().ticker().nanos() - begun;
            if (pause == null || pause.toNanos() > CODE_PATIENCE.toNanos() - waited || !paused(pause)) {
                return answer;
            }
        }
    }

    /// Null if the request was sent, or it is not known when it may be.
    private static @Nullable Duration pauseBeforeSending(TokenAnswer answer) {
        return answer instanceof TokenAnswer.Unclear(RefreshFailure failure, Duration retryAfter)
                        && failure.kind() == RefreshFailure.Kind.NOT_SENT
                ? retryAfter
                : null;
    }

    private boolean paused(Duration pause) {
        try {
            context.platform().pause(pause);
            return true;
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /// Redeems a refresh token (RFC 6749, 6).
    public TokenAnswer refresh(Client client, String refreshToken) throws OAuthException {
        return token(client, grant("refresh_token", client).add("refresh_token", refreshToken));
    }

    /// Requests tokens without a person (RFC 6749, 4.4).
    ///
    /// @param scopes empty to request none
    public TokenAnswer clientCredentials(Client client, Collection<String> scopes) throws OAuthException {
        return token(client, grant("client_credentials", client).add("scope", list(scopes)));
    }

    /// Begins a login on another device (RFC 8628, 3.1).
    ///
    /// @param scopes empty to request none
    /// @throws OAuthException if there is no code; with the id `registration-refused` if the client is unknown
    public DeviceCode deviceCode(Client client, Collection<String> scopes) throws OAuthException {
        String issuer = client.issuer().issuer();
        URI endpoint = client.issuer().endpoints().deviceAuthorization();
        if (endpoint == null) {
            throw new OAuthException(
                    ErrorId.LOGIN_FAILED,
                    "the authorization server " + issuer + " does not support logins on another device; log in without"
                            + " --device");
        }
        try {
            FormBody form = new FormBody().add("scope", list(scopes)).add("resource", client.resource());
            WebResponse response = send(client, endpoint, form);
            if (!response.isSuccess()) {
                String code = ErrorCodes.of(response);
                String refusal = code.isEmpty() ? "HTTP " + response.status() : code;
                throw new OAuthException(
                        code.equals(ErrorCodes.INVALID_CLIENT) ? ErrorId.REGISTRATION_REFUSED : ErrorId.LOGIN_FAILED,
                        "the authorization server " + issuer + " refused the login on another device (" + refusal
                                + "); log in without --device");
            }
            return new DeviceCodeReader(requests.targets()).read(response.body());
        } catch (HttpFailure httpFailure) {
            throw OAuthException.unanswered(issuer, httpFailure);
        } catch (InvalidMetadata wrong) {
            throw new OAuthException(
                    ErrorId.ISSUER_INVALID,
                    "the device authorization of " + issuer + " cannot be used: " + wrong.reason());
        }
    }

    /// Asks whether the login on the other device is finished (RFC 8628, 3.4).
    public TokenAnswer poll(Client client, DeviceCode deviceCode) throws OAuthException {
        return token(
                client,
                grant("urn:ietf:params:oauth:grant-type:device_code", client)
                        .add("device_code", deviceCode.deviceCode()));
    }

    /// Revokes a token (RFC 7009), which may be unknown to the server.
    ///
    /// @param hint `refresh_token` or `access_token`
    /// @return why it may still be valid; null if it is not
    public @Nullable String revoke(Client client, String token, String hint) throws OAuthException {
        URI endpoint = client.issuer().endpoints().revocation();
        String issuer = client.issuer().issuer();
        if (endpoint == null) {
            return "the authorization server " + issuer + " cannot revoke tokens";
        }
        try {
            FormBody form = new FormBody().add("token", token).add("token_type_hint", hint);
            WebResponse response = send(client, endpoint, form);
            return response.isSuccess()
                    ? null
                    : "the authorization server " + issuer + " refused to revoke the token: HTTP " + response.status();
        } catch (HttpFailure httpFailure) {
            return httpFailure.failure().message();
        } catch (InvalidMetadata wrong) {
            return wrong.reason();
        }
    }

    // ---- One request

    private static FormBody grant(String type, Client client) {
        return new FormBody().add("grant_type", type).add("resource", client.resource());
    }

    private static @Nullable String list(Collection<String> scopes) {
        return scopes.isEmpty() ? null : String.join(" ", scopes);
    }

    private TokenAnswer token(Client client, FormBody form) throws OAuthException {
        Instant sentAt = context.platform().wallClock().instant();
        try {
            WebResponse response = send(client, client.issuer().endpoints().token(), form);
            return TokenAnswerReader.read(client.issuer().issuer(), response, sentAt);
        } catch (HttpFailure httpFailure) {
            return TokenAnswerReader.failed(httpFailure.failure());
        } catch (InvalidMetadata wrong) {
            throw new OAuthException(ErrorId.ISSUER_INVALID, wrong.reason());
        }
    }

    private WebResponse send(Client client, URI endpoint, FormBody form)
            throws HttpFailure, InvalidMetadata, OAuthException {
        IssuerMetadata issuer = client.issuer();
        Map<String, String> headers = clientAuthentication.addTo(form, client.registration(), issuer);
        return requests.toIssuer(
                issuer.issuer(), endpoint, new OAuthRequests.Message(OAuthRequests.FORM, headers, form.bytes()));
    }
}
