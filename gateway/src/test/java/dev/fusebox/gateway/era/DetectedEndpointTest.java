package dev.fusebox.gateway.era;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.Call;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Caller;
import dev.fusebox.client.ClientMetadata;
import dev.fusebox.client.Deadline;
import dev.fusebox.client.Delivery;
import dev.fusebox.client.ErrorCode;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.StdioConnector;
import dev.fusebox.client.process.ChildProcesses;
import dev.fusebox.client.process.ChildSpec;
import dev.fusebox.gateway.session.FrontTarget;
import dev.fusebox.gateway.session.SessionSettings;
import dev.fusebox.platform.SecretIds;
import dev.fusebox.protocol.Message;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Who closes a server of which nobody knows yet what era it is of.
@Tag("process")
@Timeout(120)
class DetectedEndpointTest {
    /// Longer than the test: only the end can end a question.
    private static final Duration LONG = Duration.ofMinutes(10);

    @TempDir
    private Path folder;

    private final ChildProcesses children = ChildProcesses.open(SingleServerHarness.PLATFORM);

    @AfterEach
    void end() {
        children.close();
    }

    /// A server that leaves a line whenever it is started, and never says anything.
    private DetectedEndpoint silent() {
        ChildSpec spec = ChildSpec.of("/bin/sh", "-c", "echo started >> \"$0\"; exec sleep 600", starts().toString());
        StdioConnector connector = new StdioConnector(SingleServerHarness.PLATFORM, "server", children, spec);
        SessionSettings settings = SessionSettings.of("server").withConnectTimeout(LONG);
        return new DetectedEndpoint(
                SingleServerHarness.PLATFORM,
                FrontTarget.of(settings, connector).withEraProbe(LONG),
                SecretIds.system());
    }

    private Path starts() {
        return folder.resolve("starts");
    }

    private static CallFailure failure(DetectedEndpoint target) {
        Message.Request request = DetectedEndpoint.question();
        Deadline deadline = new Deadline(LONG, Duration.ZERO, SingleServerHarness.PLATFORM.ticker());
        ClientMetadata metadata = Objects.requireNonNull(ClientMetadata.of(request));
        return ((Outcome.Failed) target.call(new Call(request, metadata, deadline, Caller.SILENT))).failure();
    }

    @Test
    void a_call_that_comes_after_the_end_starts_nothing() {
        DetectedEndpoint target = silent();
        target.close();
        CallFailure failure = failure(target);
        assertThat(failure.code()).isEqualTo(ErrorCode.CANCELLED);
        assertThat(failure.delivery()).isEqualTo(Delivery.NOT_SENT);
        assertThat(starts()).doesNotExist();
    }

    @Test
    void the_end_ends_a_question_that_is_under_way_and_no_handshake_follows()
            throws IOException, InterruptedException, ExecutionException, TimeoutException {
        DetectedEndpoint target = silent();
        CompletableFuture<CallFailure> waiting = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> waiting.complete(failure(target)));
        eventually("a start is noted", () -> assertThat(starts()).isNotEmptyFile());
        target.close();
        assertThat(waiting.get(SingleServerHarness.SOON.toSeconds(), TimeUnit.SECONDS)
                        .delivery())
                .isEqualTo(Delivery.NOT_SENT);
        eventually(
                "no child process is running", () -> assertThat(children.live()).isEmpty());
        assertThat(Files.readAllLines(starts())).hasSize(1);
    }

    @Test
    void what_is_made_after_the_end_is_closed_at_once() {
        OpenEndpoints open = new OpenEndpoints();
        DetectedEndpoint before = open.add(silent());
        open.close();
        DetectedEndpoint after = open.add(silent());
        assertThat(failure(before).code()).isEqualTo(ErrorCode.CANCELLED);
        assertThat(failure(after).code()).isEqualTo(ErrorCode.CANCELLED);
        assertThat(starts()).doesNotExist();
    }
}
