package dev.fusebox.gateway.era;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.process.ChildSpec;
import dev.fusebox.config.EraPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A client of the session era before a server of the stateless era that lets nobody listen.
@Timeout(60)
class UpstreamSubscriptionTest {
    /// Answers everything but a subscription, and notes those that it refused.
    private static final String DEAF = """
            while read -r line; do
              id=$(printf '%s' "$line" | sed 's/.*"id":\\([0-9]*\\).*/\\1/')
              case $line in
                *subscriptions/listen*)
                  echo refused >>"$1"
                  echo '{"jsonrpc":"2.0","id":'$id',"error":{"code":-32601,"message":"no"}}' ;;
                *server/discover*)
                  echo '{"jsonrpc":"2.0","id":'$id',"result":{"supportedVersions":["2026-07-28"],"capabilities":{}}}' ;;
                *)
                  echo '{"jsonrpc":"2.0","id":'$id',"result":{"resultType":"complete","content":[]}}' ;;
              esac
            done
            """;

    private static final int CALLS = 50;

    @TempDir
    private Path folder;

    private SingleServerHarness singleServerHarness(Path noted) {
        ChildSpec spec = ChildSpec.of("sh", "-c", DEAF, "deaf", noted.toString());
        return SingleServerHarness.of(
                SingleServerHarness.Front.STDIO, spec, frontTarget -> frontTarget.withEra(EraPolicy.STATELESS));
    }

    @Test
    void rejected_subscription_is_not_retried_with_every_call() throws IOException {
        Path noted = Files.createFile(folder.resolve("noted"));
        try (SingleServerHarness singleServerHarness = singleServerHarness(noted)) {
            singleServerHarness.wire().hello(Messages.PLAIN);
            long begin = System.nanoTime();
            for (int i = 1; i <= CALLS; i++) {
                assertThat(singleServerHarness
                                .wire()
                                .answer(Messages.sessionCall(i, "any", "{}"))
                                .member("result"))
                        .isNotNull();
            }
            long seconds = (System.nanoTime() - begin) / 1_000_000_000;
            // Once with the handshake, and then after a second, after two more, and so on.
            assertThat(Files.readAllLines(noted)).hasSizeLessThanOrEqualTo((int) (2 + seconds));
        }
    }

    @Test
    void subscription_that_the_server_rejects_is_answered_with_an_error() throws IOException {
        Path noted = Files.createFile(folder.resolve("noted"));
        try (SingleServerHarness singleServerHarness = singleServerHarness(noted)) {
            singleServerHarness.wire().hello(Messages.PLAIN);
            String watch =
                    "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"resources/subscribe\",\"params\":{\"uri\":\"a:b\"}}";
            assertThat(singleServerHarness.wire().answer(watch).member("error")).isNotNull();
        }
    }
}
