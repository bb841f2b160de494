package dev.fusebox.client.process;

import dev.fusebox.world.ProcessEntry;
import dev.fusebox.world.World;
import java.util.HexFormat;

/// What tells the processes of one gateway from all others: a variable that children inherit and do not know of.
///
/// Its value is the gateway's number, the time it started, something random, and the number of the tree. So it names
/// one gateway for good, also if two machines share one process table or a number comes again.
record Mark(String gateway) {
    static final String VARIABLE = "FUSEBOX_TREE";

    static Mark of(World world) {
        ProcessEntry self = world.processes().self();
        String chance = HexFormat.of().toHexDigits(world.random().nextLong());
        return new Mark(self.pid() + "." + self.start() + "." + chance + ".");
    }

    /// The value for one tree.
    String tree(long number) {
        return gateway + number;
    }

    /// What stands in the environment of every process of the gateway.
    String text() {
        return VARIABLE + "=" + gateway;
    }
}
