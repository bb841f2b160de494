package dev.fusebox.testkit;

import dev.fusebox.testkit.SimulationFailure.Finding;
import dev.fusebox.testkit.SimulationFailure.Reason;
import dev.fusebox.testkit.Trace.Step;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// A scheduler that runs virtual threads one step at a time on one carrier, and draws each next step from a seed.
///
/// A step is a thread from where it can continue to where it waits, yields or ends, or the action of one due
/// timer. If there is none, the time moves to the next timer. If there is no timer either, the run is over:
/// successful if all threads have ended, stuck if not.
///
/// [#run] belongs to the carrier. [#execute] is called by the JDK, from the carrier or a thread on it; a call from
/// any other thread wakes a simulated thread at a moment that no seed decides, and fails the run.
final class SeededScheduler implements Executor {
    /// A thread of the simulation, under the name that it had when it first appeared.
    private record Member(Thread thread, String name) {}

    private final SplittableRandom random;
    private final Limits limits;
    private final SimulatedTime time;
    private final List<Runnable> afterEachStep = new ArrayList<>();
    private final List<Runnable> ready = new ArrayList<>();
    private final IdentityHashMap<Runnable, Member> members = new IdentityHashMap<>();
    private final List<Member> alive = new ArrayList<>();
    private final List<Step> steps = new ArrayList<>();
    private final AtomicReference<@Nullable Finding> finding = new AtomicReference<>();
    private volatile @Nullable Thread carrier;
    private volatile @Nullable Thread running;

    SeededScheduler(SplittableRandom random, Limits limits) {
        this.random = random;
        this.limits = limits;
        this.time = new SimulatedTime(random.split(), this::requireMember);
    }

    SimulatedTime time() {
        return time;
    }

    Thread spawn(String name, Simulation.Work work) {
        Thread thread = VirtualThreads.unstarted(this, name, () -> {
            try {
                work.run();
            } catch (Throwable e) {
                threw(name, e);
            }
        });
        thread.start();
        return thread;
    }

    void afterEachStep(Runnable check) {
        afterEachStep.add(check);
    }

    /// Queues a thread that can continue.
    @Override
    public void execute(Runnable step) {
        Thread caller = Thread.currentThread();
        if (!isInside(caller)) {
            find(
                    Reason.OUTSIDE,
                    "thread '" + VirtualThreads.of(step).getName() + "' was woken by '" + caller.getName()
                            + "', which is outside of the simulation");
            return;
        }
        if (!members.containsKey(step)) {
            enrol(step);
        }
        ready.add(step);
    }

    private void enrol(Runnable step) {
        Thread thread = VirtualThreads.of(step);
        String name = thread.getName().isEmpty() ? "thread " + (members.size() + 1) : thread.getName();
        var member = new Member(thread, name);
        members.put(step, member);
        alive.add(member);
        if (thread.getUncaughtExceptionHandler() instanceof ThreadGroup) {
            thread.setUncaughtExceptionHandler((ignored, thrown) -> threw(name, thrown));
        }
    }

    /// Runs until nothing is left to run, or a failure was found.
    void run(Runnable begin) {
        carrier = Thread.currentThread();
        try {
            begin.run();
            while (finding.get() == null && step()) {
                check(afterEachStep);
            }
        } finally {
            carrier = null;
        }
    }

    /// Runs checks on the carrier, and keeps the exception of the first failing one.
    void check(List<Runnable> checks) {
        for (Runnable check : checks) {
            try {
                check.run();
            } catch (Throwable e) {
                find(new Finding(Reason.CHECK_FAILED, e.toString(), e));
            }
        }
    }

    private boolean step() {
        int choices = ready.size() + (time.isDue() ? 1 : 0);
        if (choices == 0) {
            return time.moveToNext() || stuckOrDone();
        }
        if (steps.size() == limits.steps()) {
            find(Reason.ENDLESS, "no end after " + limits.steps() + " steps; alive: " + report(alive));
            return false;
        }
        int choice = choices == 1 ? 0 : random.nextInt(choices);
        if (choice < ready.size()) {
            runThread(choice);
        } else {
            runTimer();
        }
        return true;
    }

    private boolean stuckOrDone() {
        if (!alive.isEmpty()) {
            find(Reason.STUCK, "threads wait and nothing in the simulation can wake them: " + report(alive));
        }
        return false;
    }

    private void runThread(int choice) {
        Collections.swap(ready, choice, ready.size() - 1);
        Runnable step = ready.removeLast();
        Member member = members.get(step);
        if (member == null) {
            throw new IllegalStateException("a step without a thread");
        }
        steps.add(new Step(time.elapsed(), member.name()));
        running = member.thread();
        step.run();
        running = null;
        checkStop(step, member);
    }

    /// Checks how a thread stopped: some ways of waiting depend on real time.
    private void checkStop(Runnable step, Member member) {
        switch (member.thread().getState()) {
            case TERMINATED -> {
                members.remove(step);
                alive.remove(member);
            }
            case TIMED_WAITING ->
                find(
                        Reason.OUTSIDE,
                        "a wait with a limit of real time, not through Platform: " + report(List.of(member)));
            case BLOCKED ->
                find(Reason.OUTSIDE, "a monitor is held by a thread that waits (or is outside): " + report(alive));
            case NEW, RUNNABLE, WAITING -> {}
        }
    }

    private void runTimer() {
        var entry = time.takeDue();
        if (entry == null) {
            throw new IllegalStateException("no timer is due");
        }
        String name = "timer " + entry.number();
        steps.add(new Step(time.elapsed(), name));
        try {
            entry.action().run();
        } catch (Throwable e) {
            threw(name, e);
        }
    }

    private boolean isInside(Thread caller) {
        return caller.equals(running) || caller.equals(carrier);
    }

    private void requireMember() {
        Thread caller = Thread.currentThread();
        if (!isInside(caller)) {
            throw new IllegalStateException("thread '" + caller.getName() + "' is outside of the simulation");
        }
    }

    private void threw(String name, Throwable thrown) {
        find(new Finding(Reason.THREW, "'" + name + "' threw " + thrown, thrown));
    }

    private void find(Reason reason, String what) {
        find(new Finding(reason, what, null));
    }

    /// Only the first finding counts: later ones may be its consequences.
    void find(Finding found) {
        finding.compareAndSet(null, found);
    }

    @Nullable
    Finding finding() {
        return finding.get();
    }

    Trace trace() {
        return new Trace(steps);
    }

    /// The thread that occupies the carrier, with its stack; may be called from outside.
    String reportRunning() {
        Thread now = running == null ? carrier : running;
        return now == null ? " nothing" : report(List.of(new Member(now, now.getName())));
    }

    private static String report(List<Member> members) {
        var text = new StringBuilder();
        for (Member member : members) {
            text.append("\n  '")
                    .append(member.name())
                    .append("' ")
                    .append(member.thread().getState());
            for (StackTraceElement frame : member.thread().getStackTrace()) {
                text.append("\n    at ").append(frame);
            }
        }
        return text.toString();
    }
}
