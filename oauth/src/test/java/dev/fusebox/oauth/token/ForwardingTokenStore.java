package dev.fusebox.oauth.token;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A token store, parts of which a test replaces. Thread-safe; blocks on disk access.
public class ForwardingTokenStore implements TokenStore {
    protected final TokenStore store;

    protected ForwardingTokenStore(TokenStore store) {
        this.store = store;
    }

    @Override
    public @Nullable TokenRecord read(TokenKey key) throws IOException {
        return store.read(key);
    }

    @Override
    public void write(TokenRecord tokenRecord) throws IOException {
        store.write(tokenRecord);
    }

    @Override
    public void remove(TokenKey key) throws IOException {
        store.remove(key);
    }

    @Override
    public List<TokenRecord> all() throws IOException {
        return store.all();
    }

    @Override
    public @Nullable Lock tryLock(TokenKey key) throws IOException {
        return store.tryLock(key);
    }
}
