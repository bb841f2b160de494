package dev.fusebox.gateway.settings;

import dev.fusebox.config.ConfigFile;
import dev.fusebox.config.CredentialsConfig;
import dev.fusebox.oauth.LoginStorage;
import dev.fusebox.oauth.secret.CommandSecretStore;
import dev.fusebox.oauth.secret.FileSecretStore;
import dev.fusebox.oauth.secret.KeyringSecretStore;
import dev.fusebox.oauth.secret.SecretStore;
import dev.fusebox.oauth.token.SecretTokenStore;
import dev.fusebox.platform.Platform;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// The stores of secrets and logins that a configuration can select, under `~/.fusebox` or the folder that
/// FUSEBOX_HOME names. Stateless and thread-safe; reading a secret blocks as its store does.
public final class StoredSecrets {
    private static final String FOLDER = "secrets";

    private StoredSecrets() {}

    /// The selected store. Nothing is created or read yet.
    ///
    /// @throws IOException if neither HOME nor FUSEBOX_HOME is set, or the configuration names no program
    public static SecretStore store(Platform platform, CredentialsConfig credentials) throws IOException {
        Path folder = ConfigFile.home(platform.environment())
                .orElseThrow(() -> new IOException(
                        "cannot locate ~/.fusebox/" + FOLDER + ": neither HOME nor FUSEBOX_HOME is set"))
                .resolveSibling(FOLDER);
        return switch (credentials.store()) {
            case FILE -> new FileSecretStore(platform, folder);
            case KEYRING -> KeyringSecretStore.of(platform, folder.resolve("keyring"));
            case COMMAND -> {
                if (credentials.command().isEmpty()) {
                    throw new IOException("\"credentials\" has no \"command\"");
                }
                yield new CommandSecretStore(platform, credentials.command(), folder.resolve("command"));
            }
        };
    }

    /// The selected storage of logins. Nothing is created or read yet.
    ///
    /// @param folder of the stored logins
    public static LoginStorage logins(Platform platform, CredentialsConfig credentials, Path folder) {
        return switch (credentials.store()) {
            case FILE -> LoginStorage.files(folder);
            case KEYRING -> logins(KeyringSecretStore.of(platform, folder.resolve("keyring")), folder, "keyring");
            case COMMAND ->
                logins(
                        new CommandSecretStore(platform, credentials.command(), folder.resolve("command")),
                        folder,
                        "command");
        };
    }

    private static LoginStorage logins(SecretStore secretStore, Path folder, String kind) {
        return new LoginStorage(folder, new SecretTokenStore(secretStore, folder, kind));
    }

    /// The text of a secret; null if there is none of this name.
    static @Nullable String text(Platform platform, CredentialsConfig credentials, String name) throws IOException {
        byte[] value = store(platform, credentials).read(name);
        try {
            return value == null
                    ? null
                    : StandardCharsets.UTF_8
                            .newDecoder()
                            .decode(ByteBuffer.wrap(value))
                            .toString();
        } catch (CharacterCodingException binary) {
            throw new IOException("it is not text in UTF-8; store it again", binary);
        }
    }
}
