package dev.fusebox.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.redaction.Redactor;
import dev.fusebox.config.LogLevel;
import dev.fusebox.platform.Platform;
import dev.fusebox.testkit.ManualTime;
import java.io.ByteArrayOutputStream;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The content and format of the gateway's log.
class GatewayLogTest {
    private final ByteArrayOutputStream written = new ByteArrayOutputStream();
    private final System.Logger logger = new GatewayLogger("dev.fusebox.some.place", InstantSource.system());
    private final AsyncLogWriter asyncLogWriter = GatewayLog.relay(Platform.system(), written);

    /// What a gateway of another test has logged in this process is news here.
    @BeforeEach
    void forget() {
        GatewayLog.suppressRepeats(Platform.system().ticker());
    }

    @AfterEach
    void leave() {
        asyncLogWriter.close();
        GatewayLog.from(LogLevel.INFO);
        Thread.setDefaultUncaughtExceptionHandler(null);
    }

    private String logged(LogLevel least) {
        GatewayLog.from(least);
        logger.log(Level.ERROR, "broken");
        logger.log(Level.WARNING, "odd");
        logger.log(Level.INFO, "changed");
        logger.log(Level.DEBUG, "detail");
        return written();
    }

    private String written() {
        asyncLogWriter.close();
        return written.toString(UTF_8);
    }

    @Test
    void info_is_logged_and_debug_is_not_by_default() {
        assertThat(logged(LogLevel.INFO))
                .contains("ERROR broken", "WARN odd", "INFO changed")
                .doesNotContain("detail");
    }

    @Test
    @Shows("telemetry.logLevel")
    void debug_level_logs_more() {
        assertThat(logged(LogLevel.DEBUG)).contains("DEBUG detail");
    }

    @Test
    void error_level_logs_less() {
        assertThat(logged(LogLevel.ERROR)).contains("ERROR broken").doesNotContain("odd");
    }

    @Test
    void record_is_line_with_timestamp() {
        assertThat(logged(LogLevel.ERROR)).matches("[0-9-]{10}T[0-9:.]+Z ERROR broken\\R");
    }

    @Test
    void line_feeds_and_hidden_characters_are_removed() {
        GatewayLog.from(LogLevel.INFO);
        logger.log(Level.WARNING, "a\n2026 ERROR forged\u001b[2J\u202Eb\u200B");
        assertThat(written()).matches("\\S+ WARN a 2026 ERROR forged\\[2Jb\\R");
    }

    @Test
    void copy_gets_identical_message_once_a_minute() {
        ManualTime time = new ManualTime();
        List<String> copied = new CopyOnWriteArrayList<>();
        try (GatewayLog.Copy _ = GatewayLog.copyTo(copied::add, time.platform().ticker())) {
            logger.log(Level.WARNING, "odd");
            logger.log(Level.WARNING, "odd");
            logger.log(Level.INFO, "changed");
            logger.log(Level.INFO, "changed");
            assertThat(copied).containsExactly("WARN odd", "INFO changed", "INFO changed");
            time.advance(Duration.ofMinutes(1));
            logger.log(Level.WARNING, "odd");
            assertThat(copied).endsWith("INFO changed", "WARN odd");
        }
    }

    @Test
    void copy_has_the_stack_trace_of_an_internal_error_without_secrets() {
        List<String> copied = new CopyOnWriteArrayList<>();
        GatewayLog.hide(() -> Redactor.of(List.of("hunter22")));
        try (GatewayLog.Copy _ =
                GatewayLog.copyTo(copied::add, new ManualTime().platform().ticker())) {
            logger.log(Level.ERROR, "failed", new IllegalStateException("it is hunter22"));
            assertThat(copied).startsWith("ERROR failed", "java.lang.IllegalStateException: it is ***");
            assertThat(copied.get(2)).contains("at ", "GatewayLogTest.copy_has_the_stack_trace");
            assertThat(copied).hasSizeLessThanOrEqualTo(61);
        } finally {
            GatewayLog.hide(() -> Redactor.NONE);
        }
    }

    @Test
    void same_message_about_other_server_is_not_repeat() {
        ManualTime time = new ManualTime();
        List<String> copied = new CopyOnWriteArrayList<>();
        try (GatewayLog.Copy _ = GatewayLog.copyTo(copied::add, time.platform().ticker())) {
            for (int i = 0; i < 3; i++) {
                logger.log(Level.WARNING, "{0} refuses", "jira");
                logger.log(Level.WARNING, "{0} refuses", "mail");
            }
            assertThat(copied).containsExactly("WARN jira refuses", "WARN mail refuses");
        }
    }
}
