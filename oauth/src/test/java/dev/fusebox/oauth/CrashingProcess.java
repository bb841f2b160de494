package dev.fusebox.oauth;

import dev.fusebox.client.http.OutboundSettings;
import dev.fusebox.client.http.WebClient;
import dev.fusebox.oauth.protocol.IssuerStore;
import dev.fusebox.oauth.protocol.IssuerTokenEndpoint;
import dev.fusebox.oauth.protocol.LoginSettings;
import dev.fusebox.oauth.protocol.OAuthContext;
import dev.fusebox.oauth.token.FileTokenStore;
import dev.fusebox.oauth.token.ForwardingTokenStore;
import dev.fusebox.oauth.token.LiveToken;
import dev.fusebox.oauth.token.TokenKey;
import dev.fusebox.oauth.token.TokenListener;
import dev.fusebox.oauth.token.TokenRecord;
import dev.fusebox.oauth.token.TokenStore;
import dev.fusebox.platform.Platform;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/// The program of a process that stands still at one point of a refresh, a login or a logout, where its parent kills
/// it. It writes one byte when it is there. At the points where a request has no answer yet, it writes the byte
/// before the request.
final class CrashingProcess {
    private static final Platform PLATFORM = Platform.system();
    private static final Duration LONG = Duration.ofMinutes(5);

    private CrashingProcess() {}

    /// The command that starts this program.
    static List<String> command(CrashPoint point, Path folder, URI server) {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String paths = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        String modules = System.getProperty("jdk.module.path", "");
        return List.of(
                java,
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                paths + ":" + modules + ":target/classes:target/test-classes",
                CrashingProcess.class.getName(),
                point.name(),
                folder.toString(),
                server.toString());
    }

    public static void main(String[] words) throws Exception {
        CrashPoint point = CrashPoint.valueOf(words[0]);
        Path folder = Path.of(words[1]);
        LoginSettings settings = LoginSettings.of("crash", URI.create(words[2]));
        switch (point) {
            case BEFORE_LOCK, LOCKED, BEFORE_INTENT, INTENT_STORED, REQUEST_SENT, ANSWERED, WRITING, ANSWER_STORED ->
                refresh(point, folder, settings);
            case BEFORE_LOGIN_STORED, LOGIN_STORED -> login(folder, settings);
            case LOGGING_OUT -> logout(folder, settings);
        }
        arrive();
    }

    private static void login(Path folder, LoginSettings settings) throws Exception {
        try (Logins logins = Logins.open(PLATFORM, folder, OutboundSettings.defaults(), LoginListener.NONE)) {
            LoginFlow.Wish wish = new LoginFlow.Wish(null, Set.of());
            TokenRecord _ = logins.flow(settings).inBrowser(wish, new ScriptedBrowser());
        }
    }

    private static void logout(Path folder, LoginSettings settings) throws Exception {
        try (Logins logins = Logins.open(PLATFORM, folder, OutboundSettings.defaults(), LoginListener.NONE)) {
            String _ = logins.flow(settings).logout(Objects.requireNonNull(logins.find(settings)));
        }
    }

    private static void refresh(CrashPoint point, Path folder, LoginSettings settings) throws Exception {
        TokenStore store = new StoppingStore(point, new FileTokenStore(folder));
        TokenRecord stored = store.all().getFirst();
        OAuthContext context = new OAuthContext(
                PLATFORM, WebClient.open(PLATFORM, OutboundSettings.defaults()), new IssuerStore(folder));
        LiveToken.Sources sources =
                new LiveToken.Sources(store, new IssuerTokenEndpoint(context, settings), TokenListener.NONE);
        LiveToken liveToken = LiveToken.of(PLATFORM, stored, sources, "process " + point);
        liveToken.rejected(stored.version(), LONG::toNanos);
    }

    /// Writes a byte and stands still.
    private static void arrive() {
        announce();
        CountDownLatch never = new CountDownLatch(1);
        while (true) {
            try {
                never.await();
            } catch (InterruptedException ignored) {
                // It stands still until it is killed.
            }
        }
    }

    private static void announce() {
        try {
            // A descriptor that is not closed: the stream does not own it.
            FileOutputStream out = new FileOutputStream(FileDescriptor.out);
            out.write('.');
        } catch (IOException noParent) {
            throw new IllegalStateException(noParent);
        }
    }

    /// A token store whose caller stands still at one point of its refresh.
    private static final class StoppingStore extends ForwardingTokenStore {
        private final CrashPoint point;
        private @Nullable TokenRecord intent;

        StoppingStore(CrashPoint point, TokenStore store) {
            super(store);
            this.point = point;
        }

        private void pass(CrashPoint reached) {
            if (reached == point) {
                arrive();
            }
        }

        @Override
        public @Nullable Lock tryLock(TokenKey key) throws IOException {
            pass(CrashPoint.BEFORE_LOCK);
            Lock lock = store.tryLock(key);
            pass(CrashPoint.LOCKED);
            return lock;
        }

        @Override
        public void write(TokenRecord tokenRecord) throws IOException {
            if (intent == null) {
                intent = tokenRecord;
                pass(CrashPoint.BEFORE_INTENT);
                store.write(tokenRecord);
                pass(CrashPoint.INTENT_STORED);
                return;
            }
            pass(CrashPoint.ANSWERED);
            if (point == CrashPoint.WRITING) {
                announce();
            }
            store.write(tokenRecord);
            while (point == CrashPoint.WRITING) {
                store.write(intent);
                store.write(tokenRecord);
            }
            pass(CrashPoint.ANSWER_STORED);
        }
    }
}
