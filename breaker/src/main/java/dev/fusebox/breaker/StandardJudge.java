package dev.fusebox.breaker;

import java.nio.channels.ClosedByInterruptException;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/** The rules of {@link Judge#defaults()}. */
enum StandardJudge implements Judge {
    INSTANCE;

    @Override
    public Verdict returned(@Nullable Object result) {
        return Verdict.success();
    }

    @Override
    public Verdict threw(Throwable thrown) {
        boolean ours = thrown instanceof InterruptedException
                || thrown instanceof ClosedByInterruptException
                || thrown instanceof CallRejectedException
                || thrown instanceof CancellationException
                || thrown instanceof VirtualMachineError;
        return ours ? Verdict.neither() : Verdict.failure(Verdict.OTHER, thrown);
    }
}
