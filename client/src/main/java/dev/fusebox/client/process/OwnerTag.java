package dev.fusebox.client.process;

import dev.fusebox.platform.Platform;
import dev.fusebox.platform.ProcessEntry;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/// What tells the processes of one gateway from all others: a variable that children inherit and do not know of.
/// Thread-safe; nothing blocks but the first use, until the C library is linked.
///
/// Its value is the gateway's number, the time it started, something random, and the number of the tree. So it
/// names one gateway for good, also if two machines share one process table or a number comes again.
final class OwnerTag {
    static final String VARIABLE = "FUSEBOX_TREE";

    private final Platform platform;
    private final String chance;
    private volatile @Nullable String gateway;

    OwnerTag(Platform platform) {
        this.platform = platform;
        this.chance = HexFormat.of().toHexDigits(platform.random().nextLong());
    }

    /// Found out at the first use. Two threads may do so at once and find the same.
    private String gateway() {
        String known = gateway;
        if (known == null) {
            ProcessEntry self = platform.processes().self();
            known = self.pid() + "." + self.start() + "." + chance + ".";
            gateway = known;
        }
        return known;
    }

    /// The value for one tree.
    String tree(long number) {
        return gateway() + number;
    }

    /// What stands in the environment of every process of the gateway.
    String text() {
        return VARIABLE + "=" + gateway();
    }
}
