package dev.fusebox.gateway.tools;

import java.lang.ref.WeakReference;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/// The views that were searched most recently, which keep their index. Not thread-safe. It does not keep a view in
/// memory.
final class RecentViews {
    private final int most;
    private final Deque<WeakReference<ToolView>> views = new ArrayDeque<>();

    /// @param most bound on the views with an index
    RecentViews(int most) {
        this.most = most;
    }

    /// Notes the use of a view. The view that was not used for the longest time loses its index if there are too many.
    void use(ToolView view) {
        WeakReference<ToolView> last = views.peekLast();
        if (last != null && view.equals(last.get())) {
            return;
        }
        views.removeIf(each -> each.get() == null || view.equals(each.get()));
        views.addLast(new WeakReference<>(view));
        if (views.size() > most) {
            ToolView unused = views.removeFirst().get();
            if (unused != null) {
                unused.forget();
            }
        }
    }

    /// The index of the view that was used last and has one; null if there is none.
    @Nullable
    ToolIndexSnapshot latest() {
        ToolIndexSnapshot latest = null;
        for (WeakReference<ToolView> each : views) {
            ToolView view = each.get();
            ToolIndexSnapshot snapshot = view == null ? null : view.latest();
            latest = snapshot == null ? latest : snapshot;
        }
        return latest;
    }
}
