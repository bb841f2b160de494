package dev.fusebox.worker;

import dev.fusebox.world.World;
import java.io.ByteArrayInputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/// A script of ours, run in a room before anybody else's: what every script needs is made when it is needed first, and
/// that takes longer than most scripts. Nobody hears of it, and nothing of it can be seen in the room.
final class Rehearsal {
    private static final Order ORDER =
            new Order("const heard = await servers.one.call('tool', { a: [1] });\nheard.b", "[\"one\"]", 1, 1_000);

    private static final byte[] ANSWERS =
            "{\"answer\":{\"id\":1,\"value\":{\"b\":\"c\"}}}\n".getBytes(StandardCharsets.UTF_8);

    private Rehearsal() {}

    static void in(Room room, World world) throws InterruptedException {
        Inbox inbox = Inbox.of(world, new ByteArrayInputStream(ANSWERS));
        new Run(world, inbox, new Post(OutputStream.nullOutputStream()), ORDER).in(room);
    }
}
