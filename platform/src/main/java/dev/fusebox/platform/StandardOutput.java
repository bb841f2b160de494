package dev.fusebox.platform;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Standard output of this process. [#tryWrite] is thread-safe and never blocks; the methods of the stream block
/// while the output is full.
///
/// The inherited descriptor stays in blocking mode, because other processes may share its open file: a pipe is
/// opened a second time for writes that do not block, and a socket has a flag for each write. Files and terminals
/// take no bytes from [#tryWrite].
public final class StandardOutput extends FileOutputStream implements TryWritable {
    public StandardOutput() {
        super(FileDescriptor.out);
    }

    @Override
    public int tryWrite(byte[] bytes, int from, int to) {
        return Direct.OUTPUT.tryWrite(bytes, from, to);
    }

    /// Chosen at the first write, by one thread. What it opens stays open for the life of the process.
    private static final class Direct {
        private static final String LINK = "/proc/self/fd/1";
        static final TryWritable OUTPUT = choose();

        private static TryWritable choose() {
            if (System.getProperty("os.name", "").equals("Linux") && LinuxProcesses.works()) {
                String target = target();
                if (target.startsWith("socket:")) {
                    return LinuxOutput.socket(1);
                }
                if (target.startsWith("pipe:")) {
                    return LinuxOutput.secondOpening(LINK);
                }
            }
            return (bytes, from, to) -> 0;
        }

        private static String target() {
            try {
                return Files.readSymbolicLink(Path.of(LINK)).toString();
            } catch (IOException | UnsupportedOperationException unknown) {
                return "";
            }
        }
    }
}
