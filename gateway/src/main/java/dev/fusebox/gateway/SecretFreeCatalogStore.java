package dev.fusebox.gateway;

import dev.fusebox.client.redaction.Redactor;
import dev.fusebox.gateway.catalog.CatalogStore;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A catalog store that does not save catalogs that contain a secret: with the secret masked, they would describe
/// other tools, so such a server is listed again at each start. As thread-safe and as fast as the underlying
/// store.
///
/// @param secrets the current secrets
record SecretFreeCatalogStore(CatalogStore catalogStore, Supplier<Redactor> secrets) implements CatalogStore {
    @Override
    public byte @Nullable [] load(String identity) {
        return catalogStore.load(identity);
    }

    @Override
    public void keep(String identity, String text) {
        if (secrets.get().hide(text).equals(text)) {
            catalogStore.keep(identity, text);
        }
    }
}
