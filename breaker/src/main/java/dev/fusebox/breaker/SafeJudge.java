package dev.fusebox.breaker;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The user's judge, whose exceptions are counted and never reach the caller: if it throws or returns no verdict, the
 * default rules decide.
 */
final class SafeJudge implements Judge {
    private final Judge judge;
    private final Listeners faults;

    SafeJudge(Judge judge, Listeners faults) {
        this.judge = judge;
        this.faults = faults;
    }

    @Override
    public Verdict returned(@Nullable Object result) {
        try {
            return Objects.requireNonNull(judge.returned(result), "verdict");
        } catch (Throwable fault) {
            faults.countFault();
            return Judge.defaults().returned(result);
        }
    }

    @Override
    public Verdict threw(Throwable thrown) {
        try {
            return Objects.requireNonNull(judge.threw(thrown), "verdict");
        } catch (Throwable fault) {
            faults.countFault();
            return Judge.defaults().threw(thrown);
        }
    }
}
