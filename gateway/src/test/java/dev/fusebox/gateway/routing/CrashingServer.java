package dev.fusebox.gateway.routing;

import dev.fusebox.client.process.ChildSpec;
import dev.fusebox.config.EraPolicy;
import dev.fusebox.fixtures.server.Era;
import dev.fusebox.gateway.era.SingleServerHarness;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// A server that dies whenever it is started, until it is healed; it writes down each start. Thread-safe.
final class CrashingServer {
    private static final String LIFE = "echo start >> \"$0\"; [ -e \"$0.well\" ] || exit 7; exec \"$@\"";

    private final Path log;

    CrashingServer(Path folder) {
        this.log = folder.resolve("starts");
    }

    /// Known to be of the session era, so that one call is one start.
    TestServer testServer(String name) {
        ChildSpec well = SingleServerHarness.server(SingleServerHarness.script(Era.LEGACY));
        List<String> words = new ArrayList<>(List.of("-c", LIFE, log.toString(), well.command()));
        words.addAll(well.args());
        return TestServer.of(name, ChildSpec.of("sh", words.toArray(String[]::new)))
                .with(EraPolicy.SESSION);
    }

    /// How often it was started.
    int starts() {
        try {
            return Files.exists(log) ? Files.readAllLines(log).size() : 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void heal() {
        try {
            Files.createFile(Path.of(log + ".well"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
