package dev.fusebox.worker;

import java.io.OutputStream;

/// The standard streams of a script, which discard everything: its output is its console. Thread-safe.
final class NullOutput {
    static final OutputStream STREAM = OutputStream.nullOutputStream();

    private NullOutput() {}
}
