package dev.fusebox.worker;

import dev.fusebox.protocol.JsonView;
import dev.fusebox.world.World;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// The process's entry point: says that it is ready, runs a script, says so again, until its input ends.
///
/// It trusts nothing that a script says, and the gateway trusts nothing that it says: time, memory and output are
/// limited from outside, too, by ending the process.
final class Worker {
    private Worker() {}

    public static void main(String[] words) throws IOException, InterruptedException {
        World world = World.system();
        Post post = new Post(new FileOutputStream(FileDescriptor.out));
        Inbox inbox = Inbox.of(world, new FileInputStream(FileDescriptor.in));
        try (Engines engines = Engines.open()) {
            serve(world, engines, inbox, post);
        }
        // A script may have left threads of the engine behind, and nobody is there to hear of it.
        System.exit(0);
    }

    /// The room for the next script is there before it comes. The first script is waiting already, and a rehearsal
    /// would take it longer than it saves.
    private static void serve(World world, Engines engines, Inbox inbox, Post post)
            throws IOException, InterruptedException {
        boolean isFirst = true;
        boolean goesOn = true;
        while (goesOn) {
            try (Room room = engines.room()) {
                if (!isFirst) {
                    Rehearsal.in(room, world);
                }
                isFirst = false;
                post.ready();
                Order order = order(inbox);
                goesOn = order != null;
                if (order != null) {
                    goesOn = new Run(world, inbox, post, order).in(room);
                }
            }
        }
    }

    /// The next; null if there will be none.
    private static @Nullable Order order(Inbox inbox) throws InterruptedException {
        for (JsonView told = inbox.take(); told != null; told = inbox.take()) {
            JsonView script = told.member("run");
            // Anything else is an answer to a script that is over.
            if (script != null || told.member("leave") != null) {
                return script == null ? null : Order.of(script);
            }
        }
        return null;
    }
}
