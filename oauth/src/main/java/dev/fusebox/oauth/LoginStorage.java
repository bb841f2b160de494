package dev.fusebox.oauth;

import dev.fusebox.oauth.token.FileTokenStore;
import dev.fusebox.oauth.token.TokenStore;
import java.nio.file.Path;

/// Where the logins of a user are stored. Immutable.
///
/// @param folder of what is known of authorization servers, and of logins in progress; need not exist
/// @param tokenStore of the tokens
public record LoginStorage(Path folder, TokenStore tokenStore) {
    /// Everything in files.
    public static LoginStorage files(Path folder) {
        return new LoginStorage(folder, new FileTokenStore(folder));
    }
}
