package dev.fusebox.platform;

import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// A process started by the JDK. The JDK cannot wait for a pipe and the end of the process together, so each pipe
/// has a thread of its own that hands over one piece at a time; such a thread may run until the last holder of the
/// pipe ends. Thread-safe within the limits of [SpawnedProcess].
final class PortableSpawnedProcess implements SpawnedProcess {
    private static final int PIECE_BYTES = 64 << 10;
    private static final int SIGNAL_BASE = 128;

    private final Process process;
    private final PortableReader out;
    private final PortableReader err;
    private final Object input = new Object();
    private byte @Nullable [] piece;
    private boolean inIsOpen = true;
    private boolean isRung;

    PortableSpawnedProcess(Process process) {
        this.process = process;
        this.out = new PortableReader(process.getInputStream());
        this.err = new PortableReader(process.getErrorStream());
        start("out", out::pump);
        start("err", err::pump);
        start("in", this::pump);
        var _ = process.onExit().thenRun(this::afterItsEnd);
    }

    private void start(String what, Runnable work) {
        Thread.ofPlatform()
                .daemon()
                .name("fusebox-pipe-" + process.pid() + "-" + what)
                .start(work);
    }

    private void afterItsEnd() {
        out.processEnded();
        err.processEnded();
        closeIn();
        wake();
    }

    @Override
    public long pid() {
        return process.pid();
    }

    @Override
    public int readOut(byte[] into) {
        return out.read(into);
    }

    @Override
    public int readErr(byte[] into) {
        return err.read(into);
    }

    @Override
    public int tryWrite(byte[] bytes, int from, int to) {
        synchronized (input) {
            if (!inIsOpen) {
                return -1;
            }
            if (piece != null) {
                return 0;
            }
            int length = Math.min(PIECE_BYTES, to - from);
            piece = Arrays.copyOfRange(bytes, from, from + length);
            input.notifyAll();
            return length;
        }
    }

    private void pump() {
        try (var in = process.getOutputStream()) {
            for (byte[] next = nextPiece(); next != null; next = nextPiece()) {
                in.write(next);
                in.flush();
                written();
            }
        } catch (IOException e) {
            closeIn();
        }
    }

    /// Null when there will be no more.
    private byte @Nullable [] nextPiece() {
        synchronized (input) {
            while (piece == null && inIsOpen) {
                waitForInput(0);
            }
            return piece;
        }
    }

    private void written() {
        synchronized (input) {
            piece = null;
            input.notifyAll();
        }
    }

    /// Callers check their condition again.
    @SuppressWarnings("WaitNotInLoop")
    private void waitForInput(long millis) {
        try {
            input.wait(millis);
        } catch (InterruptedException e) {
            // No code interrupts these threads on purpose; keeping the flag would turn the wait into a busy
            // wait.
        }
    }

    @Override
    public boolean await(boolean forRoom, long nanos) {
        long end = System.nanoTime() + nanos;
        synchronized (input) {
            long left = nanos;
            while (process.isAlive() && !isRung && !(forRoom && piece == null) && left > 0) {
                waitForInput(TimeUnit.NANOSECONDS.toMillis(left) + 1);
                left = nanos == Long.MAX_VALUE ? nanos : end - System.nanoTime();
            }
            isRung = false;
        }
        return !process.isAlive();
    }

    @Override
    public void wake() {
        synchronized (input) {
            isRung = true;
            input.notifyAll();
        }
    }

    @Override
    public @Nullable Ended ended() {
        if (process.isAlive()) {
            return null;
        }
        int code = process.exitValue();
        return new Ended(code, code > SIGNAL_BASE ? code - SIGNAL_BASE : 0);
    }

    @Override
    public void signal(Signal signal) {
        if (signal == Signal.KILL) {
            process.destroyForcibly();
        } else {
            process.destroy();
        }
    }

    @Override
    public void signalGroup(Signal signal) {
        signal(signal);
    }

    @Override
    public void closeIn() {
        synchronized (input) {
            inIsOpen = false;
            input.notifyAll();
        }
    }

    @Override
    public void closeOut() {
        out.close();
    }

    @Override
    public void closeErr() {
        err.close();
    }

    @Override
    public void closeWatch() {}

    @Override
    public void reap() {}
}
