package dev.fusebox.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/// A server over HTTPS whose certificate has expired, signed by an authority of its own.
record ExpiredServer(SecureServer server, Path authority) implements AutoCloseable {
    private static final String PASSWORD = "only-a-test";

    static ExpiredServer in(Path folder) throws Exception {
        keytool(folder, "ca", "-genkeypair", "-keyalg", "EC", "-dname", "CN=authority", "-ext", "bc:c=ca:true");
        keytool(folder, "ca", "-exportcert", "-rfc", "-file", "ca.pem");
        keytool(folder, "old", "-genkeypair", "-keyalg", "EC", "-dname", "CN=old");
        keytool(folder, "old", "-certreq", "-file", "old.csr");
        keytool(
                folder,
                "ca",
                "-gencert",
                "-infile",
                "old.csr",
                "-outfile",
                "old.crt",
                "-startdate",
                "-10d",
                "-validity",
                "5",
                "-ext",
                "san=ip:127.0.0.1");
        keytool(folder, "ca", "-importcert", "-noprompt", "-file", "ca.pem", "-keystore", "old.p12");
        keytool(folder, "old", "-importcert", "-noprompt", "-file", "old.crt");
        return new ExpiredServer(new SecureServer(context(folder), "{}"), folder.resolve("ca.pem"));
    }

    private static SSLContext context(Path folder) throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(folder.resolve("old.p12"))) {
            store.load(in, PASSWORD.toCharArray());
        }
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, PASSWORD.toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), null, null);
        return context;
    }

    private static void keytool(Path folder, String alias, String... arguments) throws Exception {
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString()));
        command.addAll(List.of(arguments));
        command.addAll(List.of("-alias", alias, "-storepass", PASSWORD));
        if (!command.contains("-keystore")) {
            command.addAll(List.of("-keystore", alias + ".p12"));
        }
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(said).isZero();
    }

    int port() {
        return server.port();
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
