package dev.fusebox.client.process;

/// Factory of the threads of child processes. They are platform threads, since a read from a pipe pins the carrier
/// of a virtual one. Thread-safe; nothing blocks.
final class ChildThreads {
    /// Small, because there are three a child; enough for a listener with some forty frames.
    static final long STACK_BYTES = 512 << 10;

    private ChildThreads() {}

    /// @param what purpose of the thread, for its name
    static Thread unstarted(long number, String what, Runnable work) {
        return Thread.ofPlatform()
                .daemon()
                .name("fusebox-child-" + number + "-" + what)
                .stackSize(STACK_BYTES)
                .unstarted(work);
    }
}
