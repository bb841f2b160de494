package dev.fusebox.oauth.token;

import dev.fusebox.client.Principal;

/// What tokens are bound to: they are never used with another issuer, resource or principal. Immutable.
///
/// @param issuer identifier of the authorization server, compared as a string
/// @param resource identifier of the protected resource, as sent in `resource`
public record TokenKey(String issuer, String resource, Principal principal) {
    /// A text that is different for each key.
    String identity() {
        return issuer + "\n" + resource + "\n" + principal.id();
    }
}
