package dev.fusebox.gateway.doctor;

import java.util.ArrayList;
import java.util.List;

/// What has been found out about one server. Thread-safe; nothing blocks.
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

    /// After the chart was closed nothing is added: whoever reads it sees one state of things.
    synchronized void add(Finding finding) {
        if (!isClosed) {
            findings.add(finding);
        }
    }

    /// What is being done now, as what follows "waiting for".
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

    /// Bytes of memory that its processes took; 0 if it has none, or nobody tells.
    public synchronized long memory() {
        return memory;
    }

    /// Tools that it lists and that can be used.
    public synchronized long tools() {
        return tools;
    }

    /// About how many tokens a model reads to know them all.
    public synchronized long toolTokens() {
        return toolTokens;
    }

    /// What was found, in the order in which it was looked for.
    public synchronized List<Finding> findings() {
        return List.copyOf(findings);
    }

    /// The worst of it.
    public synchronized Severity severity() {
        return findings.stream().map(Finding::severity).max(Severity::compareTo).orElse(Severity.OK);
    }
}
