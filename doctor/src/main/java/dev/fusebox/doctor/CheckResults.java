package dev.fusebox.doctor;

import java.util.ArrayList;
import java.util.List;

/// The findings about one server. Thread-safe; nothing blocks.
public final class CheckResults {
    private final String server;
    private final List<Finding> findings = new ArrayList<>();
    private String step = "its turn";
    private boolean isClosed;
    private long toolTokens;
    private long tools;
    private long memory;

    CheckResults(String server) {
        this.server = server;
    }

    /// The id of the server.
    public String server() {
        return server;
    }

    /// Ignored once closed, so that a reader sees one consistent state.
    synchronized void add(Finding finding) {
        if (!isClosed) {
            findings.add(finding);
        }
    }

    void addAll(List<Finding> several) {
        several.forEach(this::add);
    }

    /// Puts a finding in the place of a less specific one. Ignored once closed.
    synchronized void replace(Finding general, Finding specific) {
        int at = findings.lastIndexOf(general);
        if (!isClosed && at >= 0) {
            findings.set(at, specific);
        }
    }

    /// Sets the current step, which completes "waiting for".
    synchronized void step(String other) {
        step = other;
    }

    synchronized String step() {
        return step;
    }

    synchronized boolean isClosed() {
        return isClosed;
    }

    synchronized void close() {
        isClosed = true;
    }

    synchronized void lists(long count, long tokens) {
        tools = count;
        toolTokens = tokens;
    }

    synchronized void takes(long bytes) {
        memory = bytes;
    }

    /// Resident memory of its processes in bytes; 0 if it has none, or if unknown.
    public synchronized long memory() {
        return memory;
    }

    /// The number of usable tools.
    public synchronized long tools() {
        return tools;
    }

    /// The approximate number of tokens of all tool definitions.
    public synchronized long toolTokens() {
        return toolTokens;
    }

    /// All findings, in the order of the checks.
    public synchronized List<Finding> findings() {
        return List.copyOf(findings);
    }

    /// The worst severity.
    public synchronized Severity severity() {
        return findings.stream().map(Finding::severity).max(Severity::compareTo).orElse(Severity.OK);
    }
}
