package dev.fusebox.client.http;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.Set;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/// Trusted certificate authorities, in place of those of the JDK. Two with the same authorities are equal.
/// Immutable.
public final class TlsTrust {
    private final Set<Certificate> authorities;
    private final SSLContext context;

    private TlsTrust(Set<Certificate> authorities, SSLContext context) {
        this.authorities = authorities;
        this.context = context;
    }

    /// Trusts these authorities.
    public static TlsTrust of(Set<Certificate> authorities) {
        try {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            int count = 0;
            for (Certificate certificate : authorities) {
                store.setCertificateEntry("authority-" + count++, certificate);
            }
            return new TlsTrust(Set.copyOf(authorities), context(store));
        } catch (IOException | GeneralSecurityException impossible) {
            throw new IllegalStateException("a key store in memory failed", impossible);
        }
    }

    private static SSLContext context(KeyStore store) throws GeneralSecurityException {
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, factory.getTrustManagers(), null);
        return context;
    }

    SSLContext context() {
        return context;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof TlsTrust tlsTrust && tlsTrust.authorities.equals(authorities);
    }

    @Override
    public int hashCode() {
        return authorities.hashCode();
    }
}
