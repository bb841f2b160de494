package dev.fusebox.worker;

import java.io.OutputStream;

/// Where a script's own streams lead: what it has to say goes through its console.
final class NullOutput {
    static final OutputStream STREAM = OutputStream.nullOutputStream();

    private NullOutput() {}
}
