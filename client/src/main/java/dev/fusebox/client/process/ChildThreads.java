package dev.fusebox.client.process;

/// The threads of children. Platform threads: a read from a pipe would hold the carrier of a virtual one.
final class ChildThreads {
    /// Small, because there are three a child; enough for a listener that is some forty calls deep.
    static final long STACK_BYTES = 512 << 10;

    private ChildThreads() {}

    /// @param what what the thread does, for its name
    static Thread unstarted(long number, String what, Runnable work) {
        return Thread.ofPlatform()
                .daemon()
                .name("fusebox-child-" + number + "-" + what)
                .stackSize(STACK_BYTES)
                .unstarted(work);
    }
}
