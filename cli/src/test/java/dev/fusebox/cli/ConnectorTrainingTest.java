package dev.fusebox.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The run whose classes the AOT cache of connectors contains.
///
/// Over five seconds: a training run lasts as long as the first seconds of a start.
@Tag("process")
@Timeout(60)
class ConnectorTrainingTest {
    @TempDir
    Path folder;

    /// A JVM loads all that its cache contains, so the classes of a gateway would double the memory of each connector.
    @Test
    void training_run_of_the_connector_loads_no_gateway() throws IOException, InterruptedException {
        Path classes = folder.resolve("classes.txt");
        ProcessBuilder builder = new ProcessBuilder(Launched.with(
                        List.of("-XX:AOTMode=off", "-Xlog:class+load:file=" + classes), "train", "connector"))
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("output.txt").toFile());
        Process training = builder.start();
        assertThat(training.waitFor(40, TimeUnit.SECONDS)).isTrue();
        assertThat(Files.readString(folder.resolve("output.txt"))).doesNotContain("training run");
        assertThat(Files.readString(classes))
                .contains(".share.ShareConnector ")
                .doesNotContain(".gateway.GatewayCore ", ".breaker.");
    }
}
