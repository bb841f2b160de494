package dev.fusebox.client.http;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Set;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/// Trusted certificate authorities, in place of those of the JDK. Two with the same authorities are equal. Immutable.
public final class TlsTrust {
    private final Set<Certificate> authorities;
    private final SSLContext context;

    private TlsTrust(Set<Certificate> authorities, SSLContext context) {
        this.authorities = authorities;
        this.context = context;
    }

    /// Reads the authorities; blocks as the file does.
    ///
    /// @param pem file with one or more certificates
    /// @throws IOException if there is none in the file, or it cannot be read
    public static TlsTrust of(Path pem) throws IOException {
        try (InputStream in = Files.newInputStream(pem)) {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            Set<Certificate> authorities =
                    Set.copyOf(CertificateFactory.getInstance("X.509").generateCertificates(in));
            int count = 0;
            for (Certificate certificate : authorities) {
                store.setCertificateEntry("authority-" + count++, certificate);
            }
            if (count == 0) {
                throw new IOException(pem + " contains no certificate");
            }
            return new TlsTrust(authorities, context(store));
        } catch (NoSuchFileException missing) {
            throw new IOException(pem + " does not exist", missing);
        } catch (GeneralSecurityException wrong) {
            throw new IOException("cannot read certificates from " + pem + ": " + wrong.getMessage(), wrong);
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
