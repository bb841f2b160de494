package dev.fusebox.cli;

import dev.fusebox.gateway.config.LogLevel;
import dev.fusebox.platform.FuseboxCommand;
import dev.fusebox.platform.Platform;
import java.io.IOException;
import java.util.List;
import java.util.Set;

/// The command `demo`: shows a gateway whose servers crash, trip their breaker and come back, then the life of one
/// circuit breaker, and checks that both went as told.
///
/// Safe between threads; [#run] blocks for the length of the story, some ten seconds, and without `--script` until
/// it is stopped.
final class Demo {
    private static final int USUAL_PORT = 7332;
    private static final String SCRIPT = "--script";
    private static final String JSON = "--json";

    private final Platform platform;

    Demo(Platform platform) {
        this.platform = platform;
    }

    /// With `--script` it ends with the story; otherwise the gateway goes on serving.
    Exit run(List<String> arguments, Screen screen) {
        Words words;
        try {
            words = Words.parse(new Words.Grammar("demo", Set.of(SCRIPT, JSON), Set.of()), arguments);
            if (!words.names().isEmpty()) {
                throw Words.unknown("demo", words.names().getFirst());
            }
        } catch (ServeOptions.Problem problem) {
            screen.err().println("fusebox: " + problem.getMessage());
            return Exit.USAGE;
        }
        return run(words.has(SCRIPT), new DemoTeller(screen, words.has(JSON)));
    }

    private Exit run(boolean script, DemoTeller teller) {
        try {
            // What the log would say, the story tells.
            OwnLog.from(LogLevel.ERROR);
            return play(teller, script);
        } catch (IOException failed) {
            teller.expect(false, "a gateway that answers; " + failed.getMessage());
            return teller.verdict();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return Exit.FAILED;
        }
    }

    private Exit play(DemoTeller teller, boolean script) throws IOException, InterruptedException {
        DemoGateway gateway = DemoGateway.open(platform, teller, script ? 0 : USUAL_PORT);
        try {
            gateway.play();
            tellBreaker(teller);
            Exit exit = teller.verdict();
            if (!script && exit == Exit.DONE) {
                exit = goOn(gateway, teller);
            }
            return exit;
        } finally {
            gateway.close();
        }
    }

    /// Until a signal comes. Commands such as `status` see it as they see every gateway.
    private Exit goOn(DemoGateway gateway, DemoTeller teller) throws InterruptedException {
        Backend backend = gateway.backend();
        try (Desk desk = Desk.open(platform, backend.adminApi(), backend.service())) {
            teller.chapter("The gateway goes on serving " + gateway.address() + ". `" + FuseboxCommand.of("status")
                    + "` shows it. Ctrl-C ends it.");
            Shutdown shutdown = new Shutdown(platform, backend.children(), () -> {});
            shutdown.await();
            desk.drain();
            return shutdown.exit();
        }
    }

    /// The second part, which needs no gateway.
    void tellBreaker(DemoTeller teller) {
        try {
            new DemoStory(platform, teller).play();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            teller.expect(false, "nobody stops the demo");
        }
    }
}
