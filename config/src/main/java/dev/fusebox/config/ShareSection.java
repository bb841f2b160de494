package dev.fusebox.config;

import dev.fusebox.config.ValueType.Choice;
import dev.fusebox.config.ValueType.Whole;
import java.time.Duration;

/// The section `share`.
final class ShareSection {
    static final SectionType SECTION = new SectionType("share");

    static final ConfigKey<ShareConfig.Mode> MODE = SECTION.key(
            "mode",
            Choice.of(ShareConfig.Mode.values()),
            "\"auto\"",
            "Whether clients over standard input and output that use this file share one gateway, and with it the"
                    + " processes of servers as `isolation` says. `off`: each client has its own gateway. A gateway"
                    + " over HTTP is shared with them only if the file or its command line says `auto`.");

    static final ConfigKey<Long> IDLE_MS = SECTION.key(
            "idleMs",
            new Whole(0, 86_400_000),
            "600000",
            "How long a shared gateway keeps running after its last client has left.");

    private ShareSection() {}

    static ShareConfig read(ConfigSection share) {
        return new ShareConfig(share.value(MODE), share.isSet(MODE), Duration.ofMillis(share.value(IDLE_MS)));
    }
}
