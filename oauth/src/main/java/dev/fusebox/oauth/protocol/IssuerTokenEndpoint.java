package dev.fusebox.oauth.protocol;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.FailureCategory;
import dev.fusebox.client.http.HttpFailure;
import dev.fusebox.oauth.token.RefreshAnswer;
import dev.fusebox.oauth.token.RefreshFailure;
import dev.fusebox.oauth.token.TokenEndpoint;
import dev.fusebox.oauth.token.TokenRecord;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// The token endpoint of the authorization server of a login, over HTTP. Thread-safe; blocks for its turn and the
/// requests.
public final class IssuerTokenEndpoint implements TokenEndpoint {
    private static final Duration PROBE_LIMIT = Duration.ofSeconds(10);

    private final OAuthRequests requests;
    private final IssuerLookup issuerLookup;
    private final Registrar registrar;
    private final TokenRequests tokenRequests;

    public IssuerTokenEndpoint(OAuthContext context, LoginSettings settings) {
        this.requests = new OAuthRequests(context, settings);
        this.issuerLookup = new IssuerLookup(context, requests);
        this.registrar = new Registrar(context, settings);
        this.tokenRequests = new TokenRequests(context, settings);
    }

    @Override
    public RefreshAnswer refresh(TokenRecord tokenRecord) {
        try {
            String issuer = tokenRecord.key().issuer();
            IssuerMetadata metadata = issuerLookup.of(issuer);
            ClientRegistration client =
                    registrar.known(metadata, tokenRecord.grant().client().id());
            if (client == null) {
                return new RefreshAnswer.ClientMissing(
                        "the client " + tokenRecord.grant().client().id() + " of " + issuer
                                + ", which the tokens were issued to, is no longer stored");
            }
            return answer(issuer, client, requested(tokenRecord, metadata, client));
        } catch (OAuthException impossible) {
            return notSent(impossible.message());
        }
    }

    private TokenAnswer requested(TokenRecord tokenRecord, IssuerMetadata metadata, ClientRegistration client)
            throws OAuthException {
        TokenRequests.Client requesting =
                new TokenRequests.Client(metadata, client, tokenRecord.key().resource());
        String refresh = tokenRecord.tokens().refresh();
        return refresh == null || tokenRecord.grant().type() == TokenRecord.GrantType.CLIENT_CREDENTIALS
                ? tokenRequests.clientCredentials(
                        requesting,
                        tokenRecord.grant().requested().stream().sorted().toList())
                : tokenRequests.refresh(requesting, refresh);
    }

    /// Only `invalid_grant` says that the refresh token is no longer valid. `invalid_client` says nothing about it,
    /// but after the loss of a registration no client can use it.
    private RefreshAnswer answer(String issuer, ClientRegistration client, TokenAnswer answer) {
        return switch (answer) {
            case TokenAnswer.Issued issued -> new RefreshAnswer.Renewed(issued.tokens());
            case TokenAnswer.Refused(String code)
            when code.equals(ErrorCodes.INVALID_GRANT) -> new RefreshAnswer.InvalidGrant();
            case TokenAnswer.Refused(String code)
            when code.equals(ErrorCodes.INVALID_CLIENT) -> {
                issuerLookup.drop(issuer);
                yield clientRefused(issuer, client.kind());
            }
            case TokenAnswer.Refused(String code) ->
                refusedForNow(issuer + " refused the refresh (" + code + "); if this continues, log in again");
            case TokenAnswer.Unclear(RefreshFailure failure, Duration retryAfter) ->
                new RefreshAnswer.Failed(failure, retryAfter);
        };
    }

    private static RefreshAnswer clientRefused(String issuer, ClientRegistration.Kind kind) {
        String refused = issuer + " refused the client that the tokens were issued to (invalid_client)";
        return switch (kind) {
            case DYNAMIC ->
                new RefreshAnswer.ClientUnknown(refused + "; its registration is lost, and the tokens with it");
            case CONFIGURED, DOCUMENT -> refusedForNow(refused + "; " + Registrar.remedy(kind));
        };
    }

    private static RefreshAnswer refusedForNow(String message) {
        return new RefreshAnswer.Failed(new RefreshFailure(RefreshFailure.Kind.REFUSED_FOR_NOW, message), null);
    }

    @Override
    public void forgetClient(TokenRecord tokenRecord) {
        registrar.forget(
                tokenRecord.key().issuer(), tokenRecord.grant().client().id());
    }

    /// Revokes the tokens of a login (RFC 7009).
    ///
    /// @return why they may still be valid; null if they are not
    public @Nullable String revoke(TokenRecord tokenRecord) throws OAuthException {
        IssuerMetadata metadata = issuerLookup.of(tokenRecord.key().issuer());
        ClientRegistration client =
                registrar.known(metadata, tokenRecord.grant().client().id());
        if (client == null) {
            return "the client that the tokens were issued to is no longer known";
        }
        TokenRequests.Client requesting =
                new TokenRequests.Client(metadata, client, tokenRecord.key().resource());
        String refresh = tokenRecord.tokens().refresh();
        String problem = refresh == null ? null : tokenRequests.revoke(requesting, refresh, "refresh_token");
        return problem == null
                ? tokenRequests.revoke(requesting, tokenRecord.tokens().access(), "access_token")
                : problem;
    }

    private static RefreshAnswer notSent(String message) {
        return new RefreshAnswer.Failed(new RefreshFailure(RefreshFailure.Kind.NOT_SENT, message), null);
    }

    /// A request for the metadata, whose answer does not matter.
    @Override
    public ProbeResult probe(TokenRecord tokenRecord) {
        String issuer = tokenRecord.key().issuer();
        try {
            requests.ofIssuer(
                    issuer,
                    IssuerLookup.locations(OAuthTargets.parse(issuer)).getFirst(),
                    requests.deadline(PROBE_LIMIT));
            return new ProbeResult.Answered();
        } catch (HttpFailure httpFailure) {
            CallFailure failure = httpFailure.failure();
            boolean isAnswer = failure.category() == FailureCategory.PROTOCOL;
            return isAnswer ? new ProbeResult.Answered() : new ProbeResult.Silent(failure.message());
        } catch (InvalidMetadata wrong) {
            return new ProbeResult.Silent(wrong.reason());
        }
    }
}
