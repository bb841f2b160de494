package dev.fusebox.client.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.Fault;
import dev.fusebox.client.Obstacle;
import dev.fusebox.client.Reached;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A server whose own certificate is the authority that the operator trusts, and has expired.
@Tag("process")
@Timeout(120)
class ExpiredAuthorityTest {
    private static final String PASSWORD = "only-a-test";

    @TempDir
    Path folder;

    private void keytool(String... arguments) throws Exception {
        String program =
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
        List<String> common = List.of("-alias", "server", "-keystore", "keys.p12", "-storepass", PASSWORD);
        Process process = new ProcessBuilder(Stream.of(List.of(program), List.of(arguments), common)
                        .flatMap(List::stream)
                        .toList())
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(said).isZero();
    }

    private RawServer server() throws Exception {
        String validity = "-genkeypair -keyalg EC -dname CN=expired -startdate -3d -validity 1 -ext san=ip:127.0.0.1";
        keytool(validity.split(" ", -1));
        keytool("-exportcert", "-rfc", "-file", "authority.pem");
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(folder.resolve("keys.p12"))) {
            store.load(in, PASSWORD.toCharArray());
        }
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, PASSWORD.toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), null, null);
        ServerSocket listener =
                context.getServerSocketFactory().createServerSocket(0, 50, InetAddress.getLoopbackAddress());
        return new RawServer(
                listener, "https", RawServer.each(request -> RawServer.json(200, request.result("{\"content\":[]}"))));
    }

    @Test
    void an_expired_certificate_that_is_itself_the_authority_is_refused_and_named() throws Exception {
        try (RawServer server = server();
                Desk desk = Desk.at(
                        server.uri(), OutboundSettings.usual().withTrust(Trust.of(folder.resolve("authority.pem"))))) {
            Fault fault = desk.fault("tools/call", "{\"name\":\"echo\"}");

            assertThat(fault.reached()).isEqualTo(Reached.NOT_SENT);
            assertThat(fault.evidence().obstacle()).isEqualTo(Obstacle.CERTIFICATE_EXPIRED);
            assertThat(fault.message()).contains("the server's certificate is not valid now");
            assertThat(server.received).isEmpty();
        }
    }
}
