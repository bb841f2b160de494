package dev.fusebox.client.resilience;

/// A node of an intrusive ring; a single node is linked with itself. Insertion and removal allocate nothing and
/// cannot fail. Not thread-safe.
class LinkedNode {
    private LinkedNode before = this;
    private LinkedNode after = this;

    final LinkedNode after() {
        return after;
    }

    @SuppressWarnings("ReferenceEquality") // links have no value
    final boolean isAlone() {
        return after == this;
    }

    /// Inserts this node into the ring of another, as its last: right before it.
    final void joinBefore(LinkedNode other) {
        before = other.before;
        after = other;
        other.before.after = this;
        other.before = this;
    }

    final void leave() {
        before.after = after;
        after.before = before;
        before = this;
        after = this;
    }
}
