package dev.fusebox.oauth.protocol;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.fusebox.client.ErrorId;
import dev.fusebox.client.http.HttpFailure;
import dev.fusebox.client.http.WebResponse;
import dev.fusebox.oauth.protocol.ClientRegistration.Kind;
import dev.fusebox.oauth.token.TokenRecord.GrantType;
import dev.fusebox.platform.LazyLoggers;
import dev.fusebox.protocol.JsonView;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Registrar of this client with authorization servers, for the login to one MCP server (2026-07-28, client
/// registration): a configured client, a client id metadata document, or dynamic registration. Thread-safe; blocks on
/// the disk and the network.
public final class Registrar {
    private static final System.Logger LOG = LazyLoggers.of(Registrar.class);

    /// A refused client that is younger than this was registered because of a refusal: another one would not help.
    private static final Duration REPLACEMENT_PAUSE = Duration.ofMinutes(1);

    /// More than any server issues; some issue a signed statement as the id.
    private static final int MAX_CREDENTIAL = 8 << 10;

    private static final int SERVER_ERROR = 500;
    private static final int TOO_MANY_REQUESTS = 429;
    private static final Set<Integer> NO_ACCESS = Set.of(401, 403);
    private static final Set<Integer> NO_ENDPOINT = Set.of(404, 405, 501);

    private final OAuthContext context;
    private final LoginSettings settings;
    private final OAuthRequests requests;

    public Registrar(OAuthContext context, LoginSettings settings) {
        this.context = context;
        this.settings = settings;
        this.requests = new OAuthRequests(context, settings);
    }

    /// The client for a new login.
    ///
    /// @param redirectUri of its callback
    public ClientRegistration registration(IssuerMetadata issuer, String redirectUri) throws OAuthException {
        ClientRegistration own = own(issuer);
        if (own != null) {
            return own;
        }
        requirePerson();
        Instant now = context.platform().wallClock().instant();
        for (ClientRegistration known : stored(issuer)) {
            if (redirectUri.equals(known.redirectUri()) && known.isUsable(now)) {
                return known;
            }
        }
        return registered(issuer, redirectUri);
    }

    private void requirePerson() throws OAuthException {
        if (settings.grant() == GrantType.CLIENT_CREDENTIALS) {
            throw new OAuthException(
                    ErrorId.REGISTRATION_MISSING,
                    "a login without a person needs a registered client: set oauth.clientId, and oauth.clientSecret or"
                            + " oauth.privateKey, of the server " + settings.server());
        }
    }

    /// Examines whether a new login would find a client, without registering one. A registration endpoint is sent a
    /// message that is no JSON: an answer other than a refusal of access says that it may be used.
    ///
    /// @param redirectUri of the callback of a login
    /// @throws OAuthException if it would not, with the reason
    public void examine(IssuerMetadata issuer, String redirectUri) throws OAuthException {
        ClientRegistration own = own(issuer);
        if (own != null && settings.privateKey() != null) {
            ClientAssertion _ = ClientAssertion.with(settings.privateKey());
        }
        if (own != null || !redirectUris(issuer).isEmpty()) {
            return;
        }
        requirePerson();
        URI endpoint = issuer.endpoints().registration();
        if (endpoint == null) {
            throw missing(issuer, redirectUri);
        }
        try {
            WebResponse response = requests.toIssuer(
                    issuer.issuer(),
                    endpoint,
                    new OAuthRequests.Message(OAuthRequests.JSON, Map.of(), "{".getBytes(UTF_8)));
            if (NO_ACCESS.contains(response.status()) || NO_ENDPOINT.contains(response.status())) {
                throw refused(issuer, redirectUri, response);
            }
        } catch (HttpFailure httpFailure) {
            throw OAuthException.unanswered(issuer.issuer(), httpFailure);
        } catch (InvalidMetadata wrong) {
            throw new OAuthException(ErrorId.ISSUER_INVALID, wrong.reason());
        }
    }

    /// The client that tokens were issued to; null if it is not known any more.
    public @Nullable ClientRegistration known(IssuerMetadata issuer, String clientId) throws OAuthException {
        ClientRegistration own = own(issuer);
        if (own != null && own.clientId().equals(clientId)) {
            return own;
        }
        return stored(issuer).stream()
                .filter(client -> client.clientId().equals(clientId))
                .findFirst()
                .orElse(null);
    }

    /// A new client in place of one that the authorization server refused with `invalid_client`, once.
    ///
    /// @param redirectUri of the callback of the login
    public ClientRegistration replacement(IssuerMetadata issuer, ClientRegistration refused, String redirectUri)
            throws OAuthException {
        Instant now = context.platform().wallClock().instant();
        boolean isNew = refused.issuedAt().plus(REPLACEMENT_PAUSE).isAfter(now);
        if (refused.kind() != Kind.DYNAMIC || isNew) {
            throw new OAuthException(
                    ErrorId.REGISTRATION_REFUSED,
                    "the authorization server " + issuer.issuer() + " refused this client (invalid_client); "
                            + remedy(refused.kind()));
        }
        try {
            context.issuerStore().removeClient(issuer.issuer(), refused.clientId());
            context.issuerStore().dropMetadata(issuer.issuer());
        } catch (IOException undeletable) {
            throw storeFailed(undeletable);
        }
        return registered(issuer, redirectUri);
    }

    /// Forgets a registered client that the authorization server does not know any more. A registration that cannot
    /// be deleted is replaced by the next login that is refused.
    public void forget(String issuer, String clientId) {
        try {
            context.issuerStore().removeClient(issuer, clientId);
            context.issuerStore().dropMetadata(issuer);
        } catch (IOException undeletable) {
            LOG.log(Level.WARNING, "cannot delete a client registration: " + undeletable.getMessage());
        }
    }

    static String remedy(Kind kind) {
        return switch (kind) {
            case CONFIGURED -> "check oauth.clientId, oauth.clientSecret and oauth.privateKey of the server";
            case DOCUMENT -> "check the document at oauth.clientMetadataUrl";
            case DYNAMIC -> "it was registered a moment ago, so registering again would not help; ask its operator";
        };
    }

    /// Redirect URIs of clients that are registered already, the newest first: a login that uses one of them needs no
    /// new client.
    public List<String> redirectUris(IssuerMetadata issuer) throws OAuthException {
        Instant now = context.platform().wallClock().instant();
        return stored(issuer).stream()
                .filter(client -> client.redirectUri() != null && client.isUsable(now))
                .map(client -> String.valueOf(client.redirectUri()))
                .distinct()
                .toList();
    }

    /// A client that needs no registration; null if there is none.
    private @Nullable ClientRegistration own(IssuerMetadata issuer) {
        if (settings.clientId() != null) {
            ClientAuthMethod method = settings.privateKey() != null
                    ? ClientAuthMethod.PRIVATE_KEY_JWT
                    : ClientAuthMethod.forSecret(
                            settings.clientSecret() != null,
                            issuer.capabilities().authenticationMethods());
            return ClientRegistration.known(settings.clientId(), settings.clientSecret(), method, Kind.CONFIGURED);
        }
        URI document = settings.clientMetadataUrl();
        return document != null && issuer.capabilities().hasClientIdDocuments()
                ? ClientRegistration.known(document.toString(), null, ClientAuthMethod.NONE, Kind.DOCUMENT)
                : null;
    }

    private List<ClientRegistration> stored(IssuerMetadata issuer) throws OAuthException {
        try {
            return context.issuerStore().clients(issuer.issuer());
        } catch (IOException unreadable) {
            throw storeFailed(unreadable);
        }
    }

    private static OAuthException storeFailed(IOException why) {
        return new OAuthException(
                ErrorId.TOKEN_FILE_UNSAFE, "cannot use the store of client registrations: " + why.getMessage());
    }

    // ---- Dynamic registration (RFC 7591)

    private ClientRegistration registered(IssuerMetadata issuer, String redirectUri) throws OAuthException {
        URI endpoint = issuer.endpoints().registration();
        if (endpoint == null) {
            throw missing(issuer, redirectUri);
        }
        byte[] body = ClientMetadataDocument.registered(redirectUri, issuer).getBytes(UTF_8);
        ClientRegistration client;
        try {
            WebResponse response = requests.toIssuer(
                    issuer.issuer(), endpoint, new OAuthRequests.Message(OAuthRequests.JSON, Map.of(), body));
            if (!response.isSuccess()) {
                throw refused(issuer, redirectUri, response);
            }
            client = read(issuer, redirectUri, MetadataReader.of(response.body()));
        } catch (HttpFailure httpFailure) {
            throw OAuthException.unanswered(issuer.issuer(), httpFailure);
        } catch (InvalidMetadata wrong) {
            throw new OAuthException(
                    ErrorId.REGISTRATION_REFUSED,
                    "the answer of " + issuer.issuer() + " to the client registration cannot be used: "
                            + wrong.reason());
        }
        try {
            context.issuerStore().add(issuer.issuer(), client);
        } catch (IOException full) {
            throw storeFailed(full);
        }
        return client;
    }

    private ClientRegistration read(IssuerMetadata issuer, String redirectUri, MetadataReader reader)
            throws InvalidMetadata, OAuthException {
        List<String> accepted = reader.texts("redirect_uris");
        if (accepted != null && !accepted.isEmpty() && !accepted.contains(redirectUri)) {
            throw redirectRefused(issuer, redirectUri);
        }
        String text = reader.text("client_secret");
        String secret = text == null || text.isEmpty() ? null : credential("client_secret", text);
        ClientAuthMethod named = ClientAuthMethod.of(reader.text("token_endpoint_auth_method"));
        boolean needsSecret =
                named == ClientAuthMethod.CLIENT_SECRET_BASIC || named == ClientAuthMethod.CLIENT_SECRET_POST;
        boolean isPossible = named == ClientAuthMethod.NONE || (needsSecret && secret != null);
        ClientAuthMethod method = named != null && isPossible
                ? named
                : ClientAuthMethod.forSecret(
                        secret != null, issuer.capabilities().authenticationMethods());
        return new ClientRegistration(
                credential("client_id", reader.requiredText("client_id")),
                secret,
                method,
                Kind.DYNAMIC,
                redirectUri,
                context.platform().wallClock().instant(),
                secretExpiry(reader));
    }

    /// Visible ASCII and blanks (RFC 6749, appendix A.1 and A.2): both go into forms, and the id into messages.
    private static String credential(String name, String text) throws InvalidMetadata {
        if (text.length() > MAX_CREDENTIAL || !text.chars().allMatch(c -> c >= ' ' && c < 0x7F)) {
            throw new InvalidMetadata(name + " is too long or has characters that it may not have");
        }
        return text;
    }

    /// Null for zero, which means never, and for what is no time.
    private static @Nullable Instant secretExpiry(MetadataReader reader) {
        JsonView member = reader.member("client_secret_expires_at");
        Long seconds = member == null ? null : Numbers.seconds(member);
        return seconds == null ? null : Instant.ofEpochSecond(seconds);
    }

    private OAuthException refused(IssuerMetadata issuer, String redirectUri, WebResponse response) {
        String code = ErrorCodes.of(response);
        if (code.equals("invalid_redirect_uri")) {
            return redirectRefused(issuer, redirectUri);
        }
        int status = response.status();
        boolean isMissing = code.isEmpty() && NO_ENDPOINT.contains(status);
        if (isMissing && issuer.isAssumed()) {
            return new OAuthException(
                    ErrorId.RESOURCE_METADATA_MISSING,
                    settings.server() + " requires a login, but neither names its authorization server nor is one;"
                            + " set oauth.issuer of the server, or a header with a token");
        }
        if (isMissing) {
            return missing(issuer, redirectUri);
        }
        String found = "the authorization server " + issuer.issuer() + " refused to register a client: HTTP " + status
                + (code.isEmpty() ? "" : ", " + code);
        return status >= SERVER_ERROR || status == TOO_MANY_REQUESTS
                ? new OAuthException(ErrorId.ISSUER_DOWN, found + "; try again later")
                : new OAuthException(ErrorId.REGISTRATION_REFUSED, found + "; " + byHand(redirectUri));
    }

    private static OAuthException redirectRefused(IssuerMetadata issuer, String redirectUri) {
        return new OAuthException(
                ErrorId.REDIRECT_REFUSED,
                "the authorization server " + issuer.issuer() + " does not accept the redirect URI " + redirectUri
                        + "; set oauth.redirectPort to a port that it accepts, or register a client there by hand and"
                        + " set oauth.clientId");
    }

    private OAuthException missing(IssuerMetadata issuer, String redirectUri) {
        boolean wantsDocument = settings.clientMetadataUrl() != null;
        return new OAuthException(
                ErrorId.REGISTRATION_MISSING,
                "the authorization server " + issuer.issuer() + " does not register clients by itself"
                        + (wantsDocument ? ", nor does it support oauth.clientMetadataUrl; " : "; ")
                        + byHand(redirectUri));
    }

    private String byHand(String redirectUri) {
        return "register one there by hand, as a native application with the redirect URI " + redirectUri
                + " and the grant types authorization_code and refresh_token, then set oauth.clientId of the server "
                + settings.server() + ", oauth.clientSecret if it got one, and oauth.redirectPort to the port of the"
                + " redirect URI";
    }
}
