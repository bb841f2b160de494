package dev.fusebox.oauth.protocol;

import dev.fusebox.client.http.WebResponse;
import java.util.Set;

/// The error codes of authorization servers. Others are not passed on: a hostile server could put a secret into one.
/// Pure functions.
final class ErrorCodes {
    static final String INVALID_GRANT = "invalid_grant";
    static final String INVALID_CLIENT = "invalid_client";
    static final String UNKNOWN = "an unknown error code";

    /// RFC 6749, 5.2 and 4.1.2.1; RFC 7009, 2.2.1; RFC 7591, 3.2.2; RFC 8628, 3.5; RFC 8707, 2; RFC 9449, 5 and 8;
    /// OpenID Connect Core, 3.1.2.6; and `not_allowed` of Keycloak, for users and clients that may have no offline
    /// tokens.
    private static final Set<String> KNOWN = Set.of(
            "invalid_request",
            INVALID_CLIENT,
            INVALID_GRANT,
            "unauthorized_client",
            "unsupported_grant_type",
            "invalid_scope",
            "access_denied",
            "server_error",
            "temporarily_unavailable",
            "unsupported_token_type",
            "invalid_redirect_uri",
            "invalid_client_metadata",
            "invalid_software_statement",
            "unapproved_software_statement",
            "authorization_pending",
            "slow_down",
            "expired_token",
            "invalid_target",
            "invalid_token",
            "insufficient_scope",
            "invalid_dpop_proof",
            "use_dpop_nonce",
            "login_required",
            "interaction_required",
            "account_selection_required",
            "consent_required",
            "not_allowed");

    /// Codes of GitHub for `invalid_grant`.
    private static final Set<String> GRANT = Set.of("bad_refresh_token", "bad_verification_code");

    private ErrorCodes() {}

    /// The code in the body of an error response; empty if there is none.
    static String of(WebResponse response) {
        try {
            String code = MetadataReader.of(response.body()).text("error");
            return code == null || code.isBlank() ? "" : known(code);
        } catch (InvalidMetadata none) {
            return "";
        }
    }

    private static String known(String code) {
        if (GRANT.contains(code)) {
            return INVALID_GRANT;
        }
        return KNOWN.contains(code) ? code : UNKNOWN;
    }
}
