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
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/// Makes a context that trusts the authorities of a file instead of those of the JDK. Thread-safe; reads the file.
public final class Trust {
    private Trust() {}

    /// Reads the authorities.
    ///
    /// @param pem one or more certificates
    /// @throws IOException if there is none in the file, or it cannot be read
    public static SSLContext of(Path pem) throws IOException {
        try (InputStream in = Files.newInputStream(pem)) {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            int count = 0;
            for (Certificate certificate :
                    CertificateFactory.getInstance("X.509").generateCertificates(in)) {
                store.setCertificateEntry("authority-" + count++, certificate);
            }
            if (count == 0) {
                throw new IOException(pem + " has no certificate in it");
            }
            return context(store);
        } catch (NoSuchFileException missing) {
            throw new IOException(pem + " does not exist", missing);
        } catch (GeneralSecurityException wrong) {
            throw new IOException(pem + " cannot be used as certificates: " + wrong.getMessage(), wrong);
        }
    }

    private static SSLContext context(KeyStore store) throws GeneralSecurityException {
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, factory.getTrustManagers(), null);
        return context;
    }
}
