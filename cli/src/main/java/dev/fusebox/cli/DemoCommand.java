package dev.fusebox.cli;

import dev.fusebox.config.LogLevel;
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
final class DemoCommand {
    private static final int USUAL_PORT = 7332;
    private static final String SCRIPT = "--script";
    private static final String JSON = "--json";

    private final Platform platform;

    DemoCommand(Platform platform) {
        this.platform = platform;
    }

    /// With `--script` it ends with the story; otherwise the gateway goes on serving.
    ExitStatus run(List<String> arguments, CommandOutput output) {
        CommandArguments commandArguments;
        try {
            commandArguments = CommandArguments.parse(
                    new CommandArguments.Grammar("demo", Set.of(SCRIPT, JSON), Set.of()), arguments);
            if (!commandArguments.names().isEmpty()) {
                throw CommandArguments.unknown("demo", commandArguments.names().getFirst());
            }
        } catch (ServeOptions.Problem problem) {
            output.err().println("fusebox: " + problem.getMessage());
            return ExitStatus.USAGE;
        }
        return run(commandArguments.has(SCRIPT), new DemoNarrator(output, commandArguments.has(JSON)));
    }

    private ExitStatus run(boolean script, DemoNarrator teller) {
        try {
            // What the log would say, the story tells.
            GatewayLog.from(LogLevel.ERROR);
            return play(teller, script);
        } catch (IOException failed) {
            teller.expect(false, "a gateway that answers; " + failed.getMessage());
            return teller.verdict();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return ExitStatus.FAILED;
        }
    }

    private ExitStatus play(DemoNarrator teller, boolean script) throws IOException, InterruptedException {
        DemoGateway gateway = DemoGateway.open(platform, teller, script ? 0 : USUAL_PORT);
        try {
            gateway.play();
            tellBreaker(teller);
            ExitStatus exitStatus = teller.verdict();
            if (!script && exitStatus == ExitStatus.DONE) {
                exitStatus = goOn(gateway, teller);
            }
            return exitStatus;
        } finally {
            gateway.close();
        }
    }

    /// Until a signal comes. Commands such as `status` see it as they see every gateway.
    private ExitStatus goOn(DemoGateway gateway, DemoNarrator teller) throws InterruptedException {
        Gateway backend = gateway.gateway();
        try (AdminSocket adminSocket = AdminSocket.open(platform, backend.adminApi(), backend.service())) {
            teller.chapter("The gateway goes on serving " + gateway.address() + ". `" + FuseboxCommand.of("status")
                    + "` shows it. Ctrl-C ends it.");
            Shutdown shutdown = new Shutdown(platform, backend.children(), () -> {});
            shutdown.await();
            adminSocket.drain();
            return shutdown.exitStatus();
        }
    }

    /// The second part, which needs no gateway.
    void tellBreaker(DemoNarrator teller) {
        try {
            new DemoStory(platform, teller).play();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            teller.expect(false, "nobody stops the demo");
        }
    }
}
