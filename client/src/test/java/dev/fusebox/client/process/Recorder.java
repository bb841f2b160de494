package dev.fusebox.client.process;

import dev.fusebox.client.framing.OversizedMessage;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/// Listener that records everything in order.
class Recorder implements ChildListener {
    final List<String> lines = new CopyOnWriteArrayList<>();
    final List<Long> tooLong = new CopyOnWriteArrayList<>();
    final List<String> log = new CopyOnWriteArrayList<>();
    final List<ChildExit> exits = new CopyOnWriteArrayList<>();
    final List<String> afterExit = new CopyOnWriteArrayList<>();

    @Override
    public void frame(byte[] buffer, int from, int to) {
        String line = new String(buffer, from, to - from, StandardCharsets.UTF_8);
        (exits.isEmpty() ? lines : afterExit).add(line);
    }

    @Override
    public void tooLong(OversizedMessage line) {
        tooLong.add(line.bytes());
    }

    @Override
    public void log(String line, long dropped) {
        log.add(line);
    }

    @Override
    public void exited(ChildExit exit) {
        exits.add(exit);
    }
}
