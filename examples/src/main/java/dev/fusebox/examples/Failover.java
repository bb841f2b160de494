package dev.fusebox.examples;

import dev.fusebox.breaker.CallRejectedException;
import dev.fusebox.breaker.CircuitBreaker;
import java.io.IOException;
import java.io.PrintStream;
import java.util.concurrent.Callable;

/// A primary and a backup, each behind its own breaker.
///
/// Only a refused call goes to the backup: it was never sent. A call that failed may have done its work before the
/// connection broke; making it again elsewhere could do the work twice, so the caller hears of the failure instead.
/// Thread-safe; blocks as long as the work does.
public final class Failover {
    private final CircuitBreaker primary = CircuitBreaker.of("payments");
    private final CircuitBreaker backup = CircuitBreaker.of("payments-backup");

    public static void main(String[] args) {
        run(System.out);
    }

    // region: failover
    <T> T call(Callable<T> onPrimary, Callable<T> onBackup) throws Exception {
        try {
            return primary.call(onPrimary);
        } catch (CallRejectedException refused) {
            if (!refused.breakerName().equals(primary.name())) {
                throw refused;
            }
            return backup.call(onBackup);
        }
    }
    // end: failover

    static void run(PrintStream out) {
        var payments = new Failover();
        for (int call = 1; call <= 7; call++) {
            try {
                out.println(call + ": " + payments.call(Failover::brokenCall, () -> "paid by the backup"));
            } catch (Exception failed) {
                out.println(call + ": " + failed.getMessage());
            }
        }
    }

    private static String brokenCall() throws IOException {
        throw new IOException("connection reset; it may have been paid");
    }
}
