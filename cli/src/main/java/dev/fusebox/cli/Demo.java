package dev.fusebox.cli;

import dev.fusebox.world.World;
import java.util.List;

/// The command `demo`: plays the life of one circuit breaker for people to read, and checks that it went as told.
///
/// Safe between threads; [#run] blocks for the length of the story, six to eight seconds of its world's time.
final class Demo {
    private final World world;

    Demo(World world) {
        this.world = world;
    }

    /// With `--script` no key is waited for. The story has none yet, so that both forms are the same.
    Exit run(List<String> arguments, Screen screen) {
        if (!arguments.isEmpty() && !arguments.equals(List.of("--script"))) {
            String found = String.join(" ", arguments);
            screen.err().println("fusebox: demo takes nothing or --script, found \"" + found + "\".");
            return Exit.USAGE;
        }
        var teller = new DemoTeller(screen);
        try {
            new DemoStory(world, teller).play();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            teller.expect(false, "nobody stops the demo");
        }
        return teller.verdict();
    }
}
