package dev.fusebox.gateway.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.ErrorId;
import dev.fusebox.config.PoolRules;
import dev.fusebox.gateway.admin.ServerReport;
import dev.fusebox.gateway.admin.ServerReportBuilder;
import dev.fusebox.gateway.lifecycle.ServerHealth;
import dev.fusebox.gateway.lifecycle.ServerStatus;
import dev.fusebox.gateway.pool.PoolSnapshot;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// What models and operators are told of the same server.
class ServerSnapshotTest {
    private static final CallFailure UNREAD = CallFailure.notSent(ErrorId.OVERLOADED, "it could not be asked");
    private static final CallFailure DOWN = CallFailure.timeout("it went silent");

    private static ServerSnapshot snapshot(ServerStatus status, @Nullable CallFailure last) {
        ServerHealth health = new ServerHealth("one", status, "as it is", true, 0, last);
        return new ServerSnapshot(
                "one", null, null, false, UNREAD, health, List.of(), List.of(), ServerSnapshot.Sharing.none("one"));
    }

    private static @Nullable String toldTo(String whom, ServerSnapshot snapshot) {
        if (whom.equals("models")) {
            return snapshot.summary().lastError();
        }
        PoolSnapshot pool = new PoolSnapshot(PoolRules.USUAL.size(), 0, 0, 0, new PoolSnapshot.Totals(0, 0, 0, 0));
        ServerReportBuilder.Sources sources = new ServerReportBuilder.Sources(
                server -> 0,
                isProcess -> new ServerReportBuilder.NamedPool("processes", pool),
                server -> Optional.empty());
        ServerReport.ServerError serverError = new ServerReportBuilder(() -> List.of(snapshot), sources)
                .reports()
                .getFirst()
                .lastError();
        return serverError == null ? null : serverError.message();
    }

    @Test
    void last_error_is_the_same_for_models_and_operators() {
        for (String whom : List.of("models", "operators")) {
            assertThat(toldTo(whom, snapshot(ServerStatus.OFFLINE, DOWN)))
                    .as(whom)
                    .isEqualTo("it went silent");
            assertThat(toldTo(whom, snapshot(ServerStatus.IDLE, null))).as(whom).isEqualTo("it could not be asked");
            assertThat(toldTo(whom, snapshot(ServerStatus.ONLINE, null)))
                    .as(whom)
                    .isNull();
        }
    }
}
