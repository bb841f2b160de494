package dev.fusebox.client.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/// Self-signed certificate, and HTTPS servers that use it. Immutable; blocks as the disk and `keytool` do.
///
/// @param directory with the keys
record SelfSigned(Path directory) {
    private static final String PASSWORD = "only-a-test";

    /// Creates one for 127.0.0.1.
    ///
    /// @param options of `keytool -genkeypair`
    static SelfSigned make(Path directory, List<String> options) throws Exception {
        SelfSigned made = new SelfSigned(directory);
        made.keytool(Stream.concat(Stream.of("-genkeypair", "-keyalg", "EC"), options.stream()));
        made.keytool(Stream.of("-exportcert", "-rfc", "-file", "authority.pem"));
        return made;
    }

    private void keytool(Stream<String> arguments) throws Exception {
        Path program = Path.of(System.getProperty("java.home"), "bin", "keytool");
        Stream<String> common = Stream.of("-alias", "server", "-keystore", "keys.p12", "-storepass", PASSWORD);
        Process process = new ProcessBuilder(Stream.of(Stream.of(program.toString()), arguments, common)
                        .flatMap(words -> words)
                        .toList())
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(said).isZero();
    }

    RawServer server(RawServer.Answers answers) throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(directory.resolve("keys.p12"))) {
            store.load(in, PASSWORD.toCharArray());
        }
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, PASSWORD.toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), null, null);
        ServerSocket listener =
                context.getServerSocketFactory().createServerSocket(0, 50, InetAddress.getLoopbackAddress());
        return new RawServer(listener, "https", RawServer.each(answers));
    }

    /// Settings of a client that trusts it.
    OutboundSettings trusting() throws IOException, CertificateException {
        return OutboundSettings.defaults().withTrust(trust());
    }

    TlsTrust trust() throws IOException, CertificateException {
        try (InputStream in = Files.newInputStream(directory.resolve("authority.pem"))) {
            return TlsTrust.of(
                    Set.copyOf(CertificateFactory.getInstance("X.509").generateCertificates(in)));
        }
    }
}
