package dev.fusebox.oauth;

import dev.fusebox.client.http.OutboundSettings;
import dev.fusebox.oauth.login.AuthorizationRequest;
import dev.fusebox.oauth.login.CallbackListener;
import dev.fusebox.oauth.protocol.DeviceCode;
import dev.fusebox.oauth.protocol.LoginSettings;
import dev.fusebox.platform.Platform;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/// The program of a process whose person does not finish the login, until a callback does. It writes one byte when the
/// person has been asked.
final class PendingLoginProcess {
    private PendingLoginProcess() {}

    /// Starts this program.
    static Process start(Path folder, URI server) throws IOException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String paths = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        String modules = System.getProperty("jdk.module.path", "");
        List<String> command = List.of(
                java,
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                paths + ":" + modules + ":target/classes:target/test-classes",
                PendingLoginProcess.class.getName(),
                folder.toString(),
                server.toString());
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    public static void main(String[] words) throws Exception {
        LoginSettings settings = LoginSettings.of("shared", URI.create(words[1]));
        try (Logins logins =
                Logins.open(Platform.system(), Path.of(words[0]), OutboundSettings.defaults(), LoginListener.NONE)) {
            var _ = logins.flow(settings).inBrowser(new LoginFlow.Wish(null, Set.of()), new Absent());
        }
    }

    /// A person who is asked and does nothing.
    private record Absent() implements LoginFlow.Person {
        @Override
        public void authorize(URI url, CallbackListener callbackListener, AuthorizationRequest request) {
            try {
                // A descriptor that is not closed: the stream does not own it.
                FileOutputStream out = new FileOutputStream(FileDescriptor.out);
                out.write('.');
            } catch (IOException noParent) {
                throw new IllegalStateException(noParent);
            }
        }

        @Override
        public void enterCode(DeviceCode deviceCode) {
            throw new AssertionError("this login has a browser");
        }

        @Override
        public boolean isGone() {
            return false;
        }
    }
}
