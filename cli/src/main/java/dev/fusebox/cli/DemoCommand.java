package dev.fusebox.cli;

import dev.fusebox.config.LogLevel;
import dev.fusebox.demo.BreakerStory;
import dev.fusebox.demo.DemoNarrator;
import dev.fusebox.demo.GatewayStory;
import dev.fusebox.gateway.AdminSocket;
import dev.fusebox.gateway.GatewayCore;
import dev.fusebox.platform.FuseboxCommand;
import dev.fusebox.platform.Platform;
import java.io.IOException;
import java.util.List;
import java.util.Set;

/// The command `demo`: opens a gateway and plays the two stories of the module `demo` with it.
///
/// Thread-safe; [#run] blocks for the length of the stories, about ten seconds, and without `--script` until a
/// signal ends the process.
final class DemoCommand {
    private static final int USUAL_PORT = 7332;
    private static final String SCRIPT = "--script";
    private static final String JSON = "--json";

    private final Platform platform;

    DemoCommand(Platform platform) {
        this.platform = platform;
    }

    /// With `--script` it ends with the story; otherwise the gateway keeps serving.
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
        DemoNarrator narrator =
                new DemoNarrator(output.out(), output.err(), output.color(), commandArguments.has(JSON));
        return run(commandArguments.has(SCRIPT), output, narrator);
    }

    private ExitStatus run(boolean script, CommandOutput output, DemoNarrator narrator) {
        try {
            // The stories show what the log would repeat.
            GatewayLog.from(LogLevel.ERROR);
            return play(script, output, narrator);
        } catch (IOException failed) {
            narrator.expect(false, "a gateway that responds; " + failed.getMessage());
            return verdict(narrator);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return ExitStatus.FAILED;
        }
    }

    private ExitStatus play(boolean script, CommandOutput output, DemoNarrator narrator)
            throws IOException, InterruptedException {
        DemoGateway gateway =
                DemoGateway.open(DemoGateway.Opening.of(platform, output, script ? 0 : USUAL_PORT), narrator);
        try {
            new GatewayStory(platform, narrator, gateway).play();
            new BreakerStory(platform, narrator).play();
            ExitStatus exitStatus = verdict(narrator);
            if (!script && exitStatus == ExitStatus.DONE) {
                exitStatus = serve(gateway, narrator);
            }
            return exitStatus;
        } finally {
            gateway.close();
        }
    }

    private static ExitStatus verdict(DemoNarrator narrator) {
        return narrator.verdict() ? ExitStatus.DONE : ExitStatus.FAILED;
    }

    /// Serves until a signal comes. Commands such as `status` see this gateway like any other.
    private ExitStatus serve(DemoGateway gateway, DemoNarrator narrator) throws InterruptedException {
        GatewayCore backend = gateway.gateway();
        try (AdminSocket adminSocket = AdminSocket.open(platform, backend)) {
            narrator.chapter("The gateway keeps serving at " + gateway.address() + ". `" + FuseboxCommand.of("status")
                    + "` shows its state. Ctrl-C stops it.");
            Shutdown shutdown = new Shutdown(platform);
            shutdown.of(backend.children()::rejectStarts, backend.children()::kill);
            shutdown.await();
            adminSocket.drain();
            return shutdown.exitStatus();
        }
    }
}
