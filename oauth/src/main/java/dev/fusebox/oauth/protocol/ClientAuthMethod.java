package dev.fusebox.oauth.protocol;

import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// How a client authenticates to the token endpoint (RFC 7591, 2; OpenID Connect Core 1.0, 9).
public enum ClientAuthMethod {
    /// A public client.
    NONE,
    /// Id and secret in the header field `Authorization`.
    CLIENT_SECRET_BASIC,
    /// Id and secret in the form.
    CLIENT_SECRET_POST,
    /// A signed assertion (RFC 7523).
    PRIVATE_KEY_JWT;

    /// The name of the protocol, for example `client_secret_basic`.
    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    static @Nullable ClientAuthMethod of(@Nullable String id) {
        for (ClientAuthMethod method : values()) {
            if (method.id().equals(id)) {
                return method;
            }
        }
        return null;
    }

    private boolean isIn(Set<String> supported) {
        return supported.contains(id());
    }

    /// The method of a client with or without a secret. A server that does not say what it supports has to support
    /// `client_secret_basic` (RFC 8414, 2).
    ///
    /// @param supported null if the server does not say
    static ClientAuthMethod forSecret(boolean hasSecret, @Nullable Set<String> supported) {
        if (!hasSecret) {
            return NONE;
        }
        if (supported == null || CLIENT_SECRET_BASIC.isIn(supported)) {
            return CLIENT_SECRET_BASIC;
        }
        return CLIENT_SECRET_POST.isIn(supported)
                ? CLIENT_SECRET_POST
                : NONE.isIn(supported) ? NONE : CLIENT_SECRET_BASIC;
    }

    /// The method to register a client with: without a secret where that is possible, since a native client cannot
    /// keep one.
    ///
    /// @param supported null if the server does not say
    static ClientAuthMethod toRegister(@Nullable Set<String> supported) {
        if (supported == null) {
            return CLIENT_SECRET_BASIC;
        }
        if (NONE.isIn(supported)) {
            return NONE;
        }
        return CLIENT_SECRET_BASIC.isIn(supported)
                ? CLIENT_SECRET_BASIC
                : CLIENT_SECRET_POST.isIn(supported) ? CLIENT_SECRET_POST : NONE;
    }
}
