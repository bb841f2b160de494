package dev.fusebox.cli;

import java.io.IOException;
import java.nio.file.Path;

/// A server over HTTPS whose certificate has expired, signed by an authority of its own.
record ExpiredServer(SecureServer server, Path authority) implements AutoCloseable {
    static ExpiredServer in(Path folder) throws Exception {
        KeyStores keys = new KeyStores(folder);
        keys.keytool("ca", "-genkeypair", "-keyalg", "EC", "-dname", "CN=authority", "-ext", "bc:c=ca:true");
        keys.keytool("ca", "-exportcert", "-rfc", "-file", "ca.pem");
        keys.keytool("old", "-genkeypair", "-keyalg", "EC", "-dname", "CN=old");
        keys.keytool("old", "-certreq", "-file", "old.csr");
        keys.keytool(
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
        keys.keytool("ca", "-importcert", "-noprompt", "-file", "ca.pem", "-keystore", "old.p12");
        keys.keytool("old", "-importcert", "-noprompt", "-file", "old.crt");
        return new ExpiredServer(new SecureServer(keys.context("old"), "{}"), folder.resolve("ca.pem"));
    }

    int port() {
        return server.port();
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
