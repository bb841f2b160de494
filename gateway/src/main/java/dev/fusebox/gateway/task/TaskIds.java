package dev.fusebox.gateway.task;

import dev.fusebox.client.Principal;
import dev.fusebox.gateway.session.HmacSigner;
import dev.fusebox.platform.Platform;
import java.util.HexFormat;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// The task ids of all servers of a gateway, in one run of it. The key is read when it is first needed: most clients
/// have no tasks. Thread-safe; the first [#sign] or [#verify] blocks on disk access.
public final class TaskIds {
    private static final int RUN_BYTES = 6;

    private final Platform platform;
    private final TaskKey key;
    private final RandomGenerator secrets;
    private final String run;
    private volatile @Nullable TaskIdSigner signer;

    /// @param secrets a source of unguessable numbers
    public TaskIds(Platform platform, TaskKey key, RandomGenerator secrets) {
        this.platform = platform;
        this.key = key;
        this.secrets = secrets;
        byte[] random = new byte[RUN_BYTES];
        secrets.nextBytes(random);
        this.run = HexFormat.of().formatHex(random);
    }

    /// Names a process of this run.
    String process(long pid) {
        return run + "." + pid;
    }

    /// Whether a process was started in this run.
    boolean isOfThisRun(TaskId id) {
        return id.process().startsWith(run + ".");
    }

    /// The id for the clients of a principal.
    String sign(TaskId id, Principal principal) {
        return signer().sign(id, principal);
    }

    /// The content of an id; null if no gateway of this user has issued it to this principal, or if it has expired.
    public @Nullable TaskId verify(String signed, Principal principal) {
        return signer().verify(signed, principal);
    }

    private TaskIdSigner signer() {
        TaskIdSigner known = signer;
        return known == null ? created() : known;
    }

    private synchronized TaskIdSigner created() {
        TaskIdSigner known = signer;
        if (known == null) {
            known = new TaskIdSigner(platform.wallClock(), new HmacSigner(key.load(secrets)));
            signer = known;
        }
        return known;
    }
}
