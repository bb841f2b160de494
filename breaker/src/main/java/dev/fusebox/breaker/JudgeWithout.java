package dev.fusebox.breaker;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A judge, except for exceptions of one type. Thread-safe if the judge and the function are. */
final class JudgeWithout implements Judge {
    private final Judge others;
    private final Class<? extends Throwable> type;
    private final Function<Throwable, Verdict> ofThatType;

    JudgeWithout(Judge others, Class<? extends Throwable> type, Function<Throwable, Verdict> ofThatType) {
        this.others = others;
        this.type = type;
        this.ofThatType = ofThatType;
    }

    @Override
    public Verdict returned(@Nullable Object result) {
        return others.returned(result);
    }

    @Override
    public Verdict threw(Throwable thrown) {
        return type.isInstance(thrown) ? ofThatType.apply(thrown) : others.threw(thrown);
    }
}
