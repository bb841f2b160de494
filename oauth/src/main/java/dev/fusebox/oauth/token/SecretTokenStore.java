package dev.fusebox.oauth.token;

import dev.fusebox.oauth.secret.SecretStore;
import dev.fusebox.platform.LazyLoggers;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Token store in the keyring of the system, or with a program of the operator: each record is one secret. A file
/// beside the lock has the record without its tokens, so that logins are listed without the keyring. Thread-safe;
/// [#read], [#write] and [#remove] block as the secret store does, everything else on disk access.
///
/// The secret is what counts, and it is written before the file; only a new login writes the file first, because
/// a secret that no file names would never be found. So a file can be older than its secret, or without one.
public final class SecretTokenStore implements TokenStore {
    private static final System.Logger LOG = LazyLoggers.of(SecretTokenStore.class);

    /// Of the hash of a key: names of secrets have at most 64 characters.
    private static final int DIGITS = 48;

    private final SecretStore secretStore;
    private final FileTokenStore listed;

    /// @param folder of the files, which need not exist
    /// @param kind distinguishes the files of this kind of store in the folder
    public SecretTokenStore(SecretStore secretStore, Path folder, String kind) {
        this.secretStore = secretStore;
        this.listed = new FileTokenStore(folder, "." + kind + ".json");
    }

    private static String name(TokenKey key) {
        return "login-" + key.hash().substring(0, DIGITS);
    }

    /// A damaged secret counts as none, since only a login can replace it.
    @Override
    public @Nullable TokenRecord read(TokenKey key) throws IOException {
        byte[] content;
        try {
            content = secretStore.read(name(key));
        } catch (IOException failed) {
            throw new KeyringException(failed);
        }
        try {
            return content == null ? null : checked(key, TokenRecordJson.read(content));
        } catch (TokenRecordJson.Damaged damaged) {
            LOG.log(Level.WARNING, "the secret " + name(key) + " " + damaged.getMessage() + "; log in again");
            return null;
        } catch (IOException unknown) {
            throw new KeyringException(new IOException("the secret " + name(key) + " " + unknown.getMessage()));
        }
    }

    private static TokenRecord checked(TokenKey key, TokenRecord found) throws TokenRecordJson.Damaged {
        if (!found.key().equals(key) || found.tokens().isWithheld()) {
            throw new TokenRecordJson.Damaged("is not the record of its login");
        }
        return found;
    }

    @Override
    public void write(TokenRecord tokenRecord) throws IOException {
        TokenRecord shown = tokenRecord.withheld();
        if (!listed.isPresent(tokenRecord.key())) {
            listed.write(shown);
        }
        byte[] content = TokenRecordJson.write(tokenRecord);
        if (content.length > SecretStore.MAX_BYTES) {
            throw new IOException("the tokens need " + content.length + " bytes, and a secret has at most "
                    + SecretStore.MAX_BYTES + "; use \"credentials\": {\"store\": \"file\"}");
        }
        try {
            secretStore.write(name(tokenRecord.key()), content);
        } catch (IOException failed) {
            throw new KeyringException(failed);
        }
        listed.write(shown);
    }

    /// The login stays if the keyring cannot be used.
    @Override
    public void remove(TokenKey key) throws IOException {
        try {
            boolean _ = secretStore.remove(name(key));
        } catch (IOException failed) {
            throw new KeyringException(failed);
        }
        listed.remove(key);
    }

    /// All logins, without their tokens: a keyring that hangs delays no list.
    @Override
    public List<TokenRecord> all() throws IOException {
        return listed.all();
    }

    @Override
    public @Nullable Lock tryLock(TokenKey key) throws IOException {
        return listed.tryLock(key);
    }
}
