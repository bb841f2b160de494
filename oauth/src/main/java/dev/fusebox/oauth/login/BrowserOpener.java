package dev.fusebox.oauth.login;

import dev.fusebox.platform.LaunchResult;
import dev.fusebox.platform.Platform;
import dev.fusebox.platform.Program;
import dev.fusebox.platform.SpawnedProcess;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Opener of web pages in the browser of the user, by the program of the desktop, without a shell. Thread-safe;
/// [#open] does not wait for the browser.
public final class BrowserOpener {
    private static final Set<String> DISPLAYS = Set.of("DISPLAY", "WAYLAND_DISPLAY");
    private static final Duration LIMIT = Duration.ofSeconds(10);

    private final Platform platform;
    private final boolean isMac;

    public BrowserOpener(Platform platform) {
        this.platform = platform;
        this.isMac = System.getProperty("os.name", "").toLowerCase(Locale.ROOT).startsWith("mac");
    }

    /// Whether there is a display that a browser can use. Over SSH there usually is none.
    public boolean hasDisplay() {
        Map<String, String> environment = platform.environment();
        return isMac
                ? !environment.containsKey("SSH_CONNECTION")
                : DISPLAYS.stream()
                        .anyMatch(name -> !environment.getOrDefault(name, "").isEmpty());
    }

    /// Opens a page.
    ///
    /// @return why it was not opened; null if a program was started for it
    public @Nullable String open(URI url) {
        String text = url.toASCIIString();
        if (!text.startsWith("https://") && !text.startsWith("http://")) {
            return "only http and https addresses are opened";
        }
        Program program =
                new Program(isMac ? "open" : "xdg-open", List.of(text), new HashMap<>(platform.environment()), null);
        return switch (platform.processes().launch(program)) {
            case LaunchResult.Running(SpawnedProcess process) -> {
                Thread.ofPlatform().daemon().name("fusebox-browser").start(() -> release(process));
                yield null;
            }
            case LaunchResult.Failed(LaunchResult.Cause _, String detail) -> detail;
        };
    }

    /// The program hands the page to the browser and ends. The browser itself may be its child, and is left alone.
    private void release(SpawnedProcess process) {
        process.closeIn();
        process.closeOut();
        process.closeErr();
        long begun = platform.ticker().nanos();
        while (!process.await(false, LIMIT.toNanos()) && platform.ticker().nanos() - begun < LIMIT.toNanos()) {
            Thread.onSpinWait();
        }
        process.closeWatch();
        process.reap();
    }
}
