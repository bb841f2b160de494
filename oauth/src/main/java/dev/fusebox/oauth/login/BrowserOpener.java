package dev.fusebox.oauth.login;

import dev.fusebox.platform.LaunchResult;
import dev.fusebox.platform.Platform;
import dev.fusebox.platform.Program;
import dev.fusebox.platform.SpawnedProcess;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Opener of web pages in the browser of the user, by the program of `BROWSER` or of the desktop, without a shell.
/// Thread-safe; [#open] does not wait for the browser.
public final class BrowserOpener {
    /// What a shell gives a meaning to. Openers are often scripts, and some of them have evaluated their argument.
    private static final String UNSAFE = "'$();";

    private final Platform platform;
    private final boolean isMac;

    /// @param platform whose environment has the display and the programs
    public BrowserOpener(Platform platform) {
        this(
                platform,
                System.getProperty("os.name", "").toLowerCase(Locale.ROOT).startsWith("mac"));
    }

    BrowserOpener(Platform platform, boolean isMac) {
        this.platform = platform;
        this.isMac = isMac;
    }

    /// Whether there is a display that a browser can use. Over SSH there usually is none.
    public boolean hasDisplay() {
        boolean isHere = (isMac || isWindowsSubsystem()) && !has("SSH_CONNECTION");
        return isHere || (!isMac && (has("DISPLAY") || has("WAYLAND_DISPLAY")));
    }

    /// Whether this is Linux inside of Windows, whose browser needs no display here.
    private boolean isWindowsSubsystem() {
        return has("WSL_DISTRO_NAME");
    }

    private boolean has(String variable) {
        return !value(variable).isEmpty();
    }

    private String value(String variable) {
        return platform.environment().getOrDefault(variable, "");
    }

    /// Opens a page.
    ///
    /// @return why it was not opened; null if a program was started for it
    public @Nullable String open(URI url) {
        String text = argument(url);
        if (!text.startsWith("https://") && !text.startsWith("http://")) {
            return "only http and https addresses are opened";
        }
        List<String> problems = new ArrayList<>();
        for (String name : programs()) {
            Program program = new Program(name, List.of(text), platform.environment(), null);
            switch (platform.processes().launch(program)) {
                case LaunchResult.Running(SpawnedProcess process) -> {
                    watch(process);
                    return null;
                }
                case LaunchResult.Failed(LaunchResult.Cause _, String detail) -> problems.add(detail);
            }
        }
        return String.join("; ", problems);
    }

    /// The same address without characters that have a meaning for a shell.
    private static String argument(URI url) {
        StringBuilder safe = new StringBuilder();
        for (char c : url.toASCIIString().toCharArray()) {
            if (UNSAFE.indexOf(c) < 0) {
                safe.append(c);
            } else {
                safe.append('%').append(Integer.toHexString(c).toUpperCase(Locale.ROOT));
            }
        }
        return safe.toString();
    }

    /// The programs to try in turn, each with the address as its only argument.
    private List<String> programs() {
        List<String> programs = new ArrayList<>();
        String chosen = value("BROWSER");
        if (isProgram(chosen)) {
            programs.add(chosen);
        }
        if (isMac) {
            programs.add("open");
            return programs;
        }
        if (isWindowsSubsystem()) {
            programs.add("wslview");
        }
        programs.add("xdg-open");
        return programs;
    }

    /// `BROWSER` may also be a command with arguments or a list of programs, which xdg-open understands.
    private static boolean isProgram(String chosen) {
        return !chosen.isEmpty() && Stream.of(" ", "\t", ":", "%").noneMatch(chosen::contains);
    }

    // ---- The running program

    /// The program may be the browser itself, and is left alone. Its output is read as long as this process lives: a
    /// full pipe would stop it, and a closed one could end it.
    private static void watch(SpawnedProcess process) {
        process.closeIn();
        start("fusebox-browser-out", () -> drain(process::readOut, process::closeOut));
        start("fusebox-browser-err", () -> drain(process::readErr, process::closeErr));
        start("fusebox-browser", () -> release(process));
    }

    private static void start(String name, Runnable work) {
        Thread.ofPlatform().daemon().name(name).start(work);
    }

    private static void drain(ToIntFunction<byte[]> reader, Runnable close) {
        byte[] ignored = new byte[1 << 10];
        while (reader.applyAsInt(ignored) >= 0) {
            // Nobody wants the output.
        }
        close.run();
    }

    private static void release(SpawnedProcess process) {
        while (!process.await(false, Long.MAX_VALUE)) {
            // Woken for no reason.
        }
        process.closeWatch();
        process.reap();
    }
}
