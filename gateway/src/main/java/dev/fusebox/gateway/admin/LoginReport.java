package dev.fusebox.gateway.admin;

import dev.fusebox.gateway.observe.UtcTimestamp;
import dev.fusebox.protocol.JsonWriter;
import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// The login to one server as the API reports it, without its tokens. Immutable.
///
/// @param isLoggedIn whether there is a login that works without a person, as far as it is known
/// @param tokens null if there is no login
/// @param lastFailure of its last refresh; null if that has not failed
/// @param missingScopes the scopes that tools need and the login lacks, by tool
public record LoginReport(
        boolean isLoggedIn,
        @Nullable TokenReport tokens,
        @Nullable String lastFailure,
        Map<String, Set<String>> missingScopes) {
    /// There is no login.
    public static final LoginReport NONE = new LoginReport(false, null, null, Map.of());

    public LoginReport {
        missingScopes = Collections.unmodifiableMap(new TreeMap<>(missingScopes));
    }

    /// What is known about the tokens of a login. Immutable.
    ///
    /// @param subject the person or account; null if the authorization server did not say
    /// @param scopes empty if unknown
    /// @param expiresAt of the access token; null if unknown
    /// @param renewal how a new access token is obtained: `refresh token`, `client credentials` or `a new login`
    public record TokenReport(
            @Nullable String subject,
            SortedSet<String> scopes,
            @Nullable Instant expiresAt,
            String renewal) {
        public TokenReport {
            scopes = Collections.unmodifiableSortedSet(new TreeSet<>(scopes));
        }

        private void write(JsonWriter json) {
            json.name("subject").string(subject);
            json.name("scopes").beginArray();
            scopes.forEach(json::string);
            json.endArray();
            json.name("expiresAt").string(expiresAt == null ? null : UtcTimestamp.of(expiresAt));
            json.name("renewal").string(renewal);
        }
    }

    void write(JsonWriter json) {
        json.beginObject().name("loggedIn").bool(isLoggedIn);
        if (tokens != null) {
            tokens.write(json);
        }
        json.name("lastFailure").string(lastFailure);
        json.name("missingScopes").beginArray();
        missingScopes.forEach((tool, scopes) -> {
            json.beginObject().name("tool").string(tool).name("scopes").beginArray();
            scopes.forEach(json::string);
            json.endArray().endObject();
        });
        json.endArray().endObject();
    }
}
