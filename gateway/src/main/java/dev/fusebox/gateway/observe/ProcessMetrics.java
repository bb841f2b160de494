package dev.fusebox.gateway.observe;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;

/// Metrics of the gateway's own process, under the standard names of Prometheus clients. Read on request; values
/// that the operating system does not provide are omitted. Thread-safe; takes about a millisecond.
final class ProcessMetrics {
    private static final Path SELF = Path.of("/proc/self");
    private static final double MILLIS = 1e3;
    private static final double NANOS = 1e9;

    private ProcessMetrics() {}

    static void write(PrometheusText text) {
        ProcessHandle.Info self = ProcessHandle.current().info();
        self.totalCpuDuration().ifPresent(used -> cpu(text, used));
        self.startInstant().ifPresent(begun -> started(text, begun));
        memory(text);
        descriptors(text);
        heap(text);
    }

    private static void cpu(PrometheusText text, Duration used) {
        String name = "process_cpu_seconds_total";
        text.family(name, "counter", "CPU time of the gateway, without its servers, in seconds.");
        text.sample(name, used.toNanos() / NANOS);
    }

    private static void started(PrometheusText text, Instant begun) {
        String name = "process_start_time_seconds";
        text.family(name, "gauge", "Start time of the gateway, in seconds since 1970.");
        text.sample(name, begun.toEpochMilli() / MILLIS);
    }

    private static void memory(PrometheusText text) {
        try {
            String status = Files.readString(SELF.resolve("status"));
            bytes(text, status, "VmRSS:", "process_resident_memory_bytes");
            bytes(text, status, "VmSize:", "process_virtual_memory_bytes");
        } catch (IOException elsewhere) {
            // Available on Linux only.
        }
    }

    /// A line is `VmRSS:     61324 kB`.
    private static void bytes(PrometheusText text, String status, String field, String name) {
        status.lines().filter(line -> line.startsWith(field)).findFirst().ifPresent(line -> {
            String number = line.substring(field.length()).replace("kB", "").strip();
            text.family(name, "gauge", "Memory of the gateway, without its servers.");
            text.sample(name, Long.parseLong(number) * 1024);
        });
    }

    private static void descriptors(PrometheusText text) {
        long open = 0;
        try (DirectoryStream<Path> all = Files.newDirectoryStream(SELF.resolve("fd"))) {
            for (Path _ : all) {
                open++;
            }
        } catch (IOException | DirectoryIteratorException elsewhere) {
            return;
        }
        text.family("process_open_fds", "gauge", "Open file descriptors.");
        // One of them is for the directory itself.
        text.sample("process_open_fds", open - 1);
        limit(text);
    }

    /// A line is `Max open files            1024                 524288               files`.
    private static void limit(PrometheusText text) {
        String head = "Max open files";
        try {
            String limits = Files.readString(SELF.resolve("limits"));
            limits.lines().filter(line -> line.startsWith(head)).findFirst().ifPresent(line -> {
                String rest = line.substring(head.length()).strip();
                String soft = rest.substring(0, rest.indexOf(' '));
                text.family("process_max_fds", "gauge", "Limit of open file descriptors.");
                text.sample("process_max_fds", soft.equals("unlimited") ? -1 : Long.parseLong(soft));
            });
        } catch (IOException unreadable) {
            // Where inspection is denied, only the superuser may read it.
        }
    }

    private static void heap(PrometheusText text) {
        Runtime runtime = Runtime.getRuntime();
        of(text, "jvm_memory_used_bytes", "Used memory of the heap.", runtime.totalMemory() - runtime.freeMemory());
        of(text, "jvm_memory_committed_bytes", "Committed memory of the heap.", runtime.totalMemory());
        of(text, "jvm_memory_max_bytes", "Maximum size of the heap.", runtime.maxMemory());
    }

    private static void of(PrometheusText text, String name, String help, long bytes) {
        text.family(name, "gauge", help);
        text.sample(name, bytes, "area", "heap");
    }
}
