package dev.fusebox.client.lane;

/// A link of a ring; one that is alone is linked with itself. Joining and leaving take no memory and do not fail. Not
/// thread-safe.
class Link {
    private Link before = this;
    private Link after = this;

    final Link after() {
        return after;
    }

    @SuppressWarnings("ReferenceEquality") // links have no value
    final boolean isAlone() {
        return after == this;
    }

    /// Joins the ring of another, as its last: right before it.
    final void joinBefore(Link other) {
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
