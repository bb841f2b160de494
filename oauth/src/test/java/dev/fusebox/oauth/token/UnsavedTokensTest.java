package dev.fusebox.oauth.token;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.platform.Platform;
import dev.fusebox.testkit.Eventually;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// New tokens on a full disk.
///
/// Over five seconds: the disk is tried again after five seconds.
@Timeout(60)
class UnsavedTokensTest {
    private static final LongSupplier LONG = Duration.ofSeconds(30)::toNanos;

    @TempDir
    private Path folder;

    private FullDisk disk;
    private final AtomicInteger refreshes = new AtomicInteger();

    /// A token store that stores no new tokens while the disk is full.
    private static final class FullDisk extends ForwardingTokenStore {
        private final AtomicBoolean isFull = new AtomicBoolean(true);

        FullDisk(FileTokenStore store) {
            super(store);
        }

        @Override
        public void write(TokenRecord tokenRecord) throws IOException {
            if (isFull.get() && tokenRecord.generation() > 1) {
                throw new IOException("No space left on device");
            }
            super.write(tokenRecord);
        }
    }

    /// Issues a new token for each refresh.
    private final class Issuer implements TokenEndpoint {
        @Override
        public RefreshAnswer refresh(TokenRecord tokenRecord) {
            int count = refreshes.incrementAndGet();
            Instant now = Instant.now();
            return new RefreshAnswer.Renewed(new Tokens(
                    "access-new-" + count, "refresh-new-" + count, now, now.plus(Duration.ofHours(1)), Set.of()));
        }

        @Override
        public ProbeResult probe(TokenRecord tokenRecord) {
            return new ProbeResult.Answered();
        }

        @Override
        public void forgetClient(TokenRecord tokenRecord) {
            throw new AssertionError("the client is known");
        }
    }

    private LiveToken liveToken() {
        return LiveToken.of(
                Platform.system(),
                Records.ready(),
                new LiveToken.Sources(disk, new Issuer(), TokenListener.NONE),
                "process 1");
    }

    @BeforeEach
    void logIn() throws IOException {
        disk = new FullDisk(new FileTokenStore(folder));
        disk.write(Records.ready());
    }

    private String stored() {
        try {
            TokenRecord found = disk.read(Records.KEY);
            return found == null ? "" : found.tokens().access();
        } catch (IOException unreadable) {
            throw new AssertionError(unreadable);
        }
    }

    @Test
    void tokens_are_used_from_memory_and_stored_once_there_is_space() throws Exception {
        try (LiveToken token = liveToken()) {
            assertThat(token.token(LONG))
                    .isInstanceOfSatisfying(
                            TokenResult.Usable.class,
                            usable -> assertThat(usable.access()).isEqualTo("access-new-1"));
            assertThat(stored()).isEqualTo("access-1");
            disk.isFull.set(false);
            Eventually.eventually(
                    "the tokens are stored", () -> assertThat(stored()).isEqualTo("access-new-1"));
            assertThat(refreshes.get()).isEqualTo(1);
        }
    }

    @Test
    void tokens_are_stored_at_the_end_of_the_process_if_that_is_possible() throws Exception {
        LiveToken token = liveToken();
        assertThat(token.token(LONG)).isInstanceOf(TokenResult.Usable.class);
        disk.isFull.set(false);
        token.close();
        token.awaitRefresh(Duration.ofSeconds(30));
        assertThat(stored()).isEqualTo("access-new-1");
    }

    @Test
    void record_that_was_read_before_a_refresh_does_not_replace_its_tokens() throws Exception {
        try (LiveToken token = liveToken()) {
            assertThat(token.token(LONG)).isInstanceOf(TokenResult.Usable.class);
            token.adopt(Records.ready());
            assertThat(token.tokenRecord().tokens().access()).isEqualTo("access-new-1");
            disk.isFull.set(false);
            token.awaitRefresh(Duration.ofSeconds(30));
            assertThat(stored()).isEqualTo("access-new-1");
        }
    }

    @Test
    void login_made_meanwhile_is_not_overwritten() throws Exception {
        try (LiveToken token = liveToken()) {
            assertThat(token.token(LONG)).isInstanceOf(TokenResult.Usable.class);
            disk.isFull.set(false);
            TokenRecord ready = Records.ready();
            TokenRecord.Grant before = ready.grant();
            TokenRecord.Grant later = new TokenRecord.Grant(
                    before.type(),
                    Instant.now(),
                    before.serverUrls(),
                    before.client(),
                    before.requested(),
                    before.subject());
            disk.write(new TokenRecord(Records.KEY, 2, later, Records.tokens("refresh-other"), new TokenState.Ready()));
            assertThat(TokenRefresh.save(disk, token.tokenRecord())).isNull();
            assertThat(stored()).isEqualTo("access-1");
        }
    }
}
