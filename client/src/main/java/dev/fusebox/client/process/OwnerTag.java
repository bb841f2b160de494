package dev.fusebox.client.process;

import dev.fusebox.platform.Platform;
import dev.fusebox.platform.ProcessEntry;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/// Environment variable that marks the processes of one gateway; children inherit it unknowingly. Thread-safe;
/// only the first use blocks, until the C library is linked.
///
/// Its value is the process id of the gateway, its start time, a random number, and the number of the process
/// tree. It identifies one gateway for good, also if two machines share one process table or a process id is
/// reused.
final class OwnerTag {
    static final String VARIABLE = "FUSEBOX_TREE";

    private final Platform platform;
    private final String nonce;
    private volatile @Nullable String gateway;

    OwnerTag(Platform platform) {
        this.platform = platform;
        this.nonce = HexFormat.of().toHexDigits(platform.random().nextLong());
    }

    /// Computed at the first use. Two threads may do so at once with the same result.
    private String gateway() {
        String known = gateway;
        if (known == null) {
            ProcessEntry self = platform.processes().self();
            known = self.pid() + "." + self.start() + "." + nonce + ".";
            gateway = known;
        }
        return known;
    }

    /// The value for one process tree.
    String tree(long number) {
        return gateway() + number;
    }

    /// The beginning of the variable in the environment of every process of the gateway.
    String environmentEntry() {
        return VARIABLE + "=" + gateway();
    }
}
