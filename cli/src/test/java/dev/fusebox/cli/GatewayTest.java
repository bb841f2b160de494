package dev.fusebox.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fusebox.fixtures.server.Era;
import dev.fusebox.fixtures.server.FaultKind;
import dev.fusebox.fixtures.server.FixtureServer;
import dev.fusebox.fixtures.server.ScriptedServer;
import dev.fusebox.fixtures.server.ServerScript;
import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.JsonWriter;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The effect of settings, as a client of the stateless era in front of a real server observes it.
///
/// Over five seconds: a limit that is waited for is compared with one that is longer.
@Tag("process")
@Timeout(120)
class GatewayTest {
    private static final Platform PLATFORM = Platform.system();

    @TempDir
    private Path folder;

    private ServedHere gateway(String server, String more) throws Exception {
        return ServedHere.of(PLATFORM, folder, "{\"mcpServers\":{\"one\":{" + server + "}}" + more + "}");
    }

    /// Our own server lets lists be kept for a minute, and what is translated may not be kept at all.
    private static String kept(ServedHere gateway) throws IOException {
        return String.valueOf(gateway.tools().path("result", "ttlMs"));
    }

    private static String process(ServerScript script) {
        List<String> command = ScriptedServer.stdio(script);
        JsonWriter args = new JsonWriter().beginArray();
        command.stream().skip(1).forEach(args::string);
        return "\"command\":" + JsonWriter.quoted(command.getFirst()) + ",\"args\":" + args.endArray();
    }

    @ParameterizedTest
    @CsvSource({"'',60000", "auto,60000", "modern,60000", "legacy,0"})
    @Shows("server.era")
    void era_setting_selects_era_of_dual_server(String era, String kept) throws Exception {
        String key = era.isEmpty() ? "" : ",\"era\":\"" + era + "\"";
        ServerScript both = ServerScript.faultless().withEra(Era.BOTH);
        try (FixtureServer server = FixtureServer.start(both);
                ServedHere overHttp = gateway("\"url\":\"" + server.uri() + "\"" + key, "");
                ServedHere asProcess = gateway(process(both) + key, "")) {
            assertThat(kept(overHttp)).isEqualTo(kept);
            assertThat(kept(asProcess)).isEqualTo(kept);
        }
    }

    @Test
    @Shows("limits.eraProbeMs")
    void era_probe_ms_limits_wait_for_silent_server() throws Exception {
        String silent = process(ServerScript.faultless().withEra(Era.LEGACY).with(FaultKind.HANG_ON_DISCOVER));
        try (ServedHere brief = gateway(silent, ",\"limits\":{\"eraProbeMs\":50}")) {
            assertThat(kept(brief)).isEqualTo("0");
        }
        try (ServedHere patient = gateway(silent, ",\"limits\":{\"eraProbeMs\":60000}")) {
            assertThatThrownBy(() -> patient.tools(Duration.ofSeconds(2))).isInstanceOf(SocketTimeoutException.class);
        }
    }
}
