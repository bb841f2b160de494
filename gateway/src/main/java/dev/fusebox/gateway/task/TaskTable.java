package dev.fusebox.gateway.task;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Connection;
import dev.fusebox.platform.Platform;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// The tasks of one server that the gateway remembers, within limits on their number, on the memory of their last
/// states, and on the time for which a process is kept for a task that no client asks for. Thread-safe; nothing blocks.
final class TaskTable {
    /// Of more, those are forgotten first that hold no process and were used least recently. Forgotten tasks can still
    /// be polled.
    private static final int MAX_TASKS = 4_000;

    /// The last states of all tasks may have so many characters together. Those go first that have been polled least
    /// recently; their tasks can still be polled.
    private static final long MAX_STATES = 4 << 20;

    /// A process is not kept longer for a task that no client asks for.
    private static final Duration IDLE_LIMIT = Duration.ofMinutes(30);

    private final Platform platform;

    /// By process, time and own id, the least recently used first.
    private final Map<String, ServerTask> tasks = new LinkedHashMap<>(16, 0.75f, true);

    /// The length of their last states.
    private final AtomicLong memory = new AtomicLong();

    TaskTable(Platform platform) {
        this.platform = platform;
    }

    /// Adds a task, and keeps the process that works on it.
    ///
    /// @param connection the connection to that process; null if the task outlives connections
    ServerTask add(TaskId id, @Nullable Connection connection) {
        ServerTask task = new ServerTask(platform, connection, memory);
        synchronized (tasks) {
            if (tasks.size() >= MAX_TASKS) {
                forgetOne();
            }
            if (tasks.size() < MAX_TASKS) {
                task.setRemembered(true);
                ServerTask other = tasks.put(key(id), task);
                if (other != null) {
                    other.setRemembered(false);
                }
            }
        }
        if (task.hold()) {
            releaseWhenIdle(task, IDLE_LIMIT);
        }
        return task;
    }

    /// Forgets a task that has ended, or whose process is not known: the one that was polled least recently.
    private void forgetOne() {
        Iterator<ServerTask> eldest = tasks.values().iterator();
        while (eldest.hasNext()) {
            ServerTask next = eldest.next();
            if (next.isReleased()) {
                eldest.remove();
                next.setRemembered(false);
                return;
            }
        }
    }

    private void releaseWhenIdle(ServerTask task, Duration time) {
        task.setIdleTimer(platform.timers().schedule(time, () -> {
            Duration left = task.keptFor(IDLE_LIMIT);
            if (left.isPositive()) {
                releaseWhenIdle(task, left);
            } else {
                task.release();
            }
        }));
    }

    /// Null if there is none, or it was forgotten.
    @Nullable
    ServerTask find(TaskId id) {
        synchronized (tasks) {
            return tasks.get(key(id));
        }
    }

    /// The connection to a process, as far as a task of it is remembered and it has not ended; null otherwise.
    @Nullable
    Connection connection(String process) {
        synchronized (tasks) {
            for (Map.Entry<String, ServerTask> each : tasks.entrySet()) {
                Connection connection = each.getValue().connection();
                if (connection != null && connection.isAlive() && each.getKey().startsWith(process + "\n")) {
                    return connection;
                }
            }
            return null;
        }
    }

    /// With the time, because a process or another account of a remote server may use an id again.
    private static String key(TaskId id) {
        return id.process() + "\n" + id.createdAt() + "\n" + id.own();
    }

    /// Drops last states until they are within their limit.
    void limitMemory() {
        if (memory.get() <= MAX_STATES) {
            return;
        }
        synchronized (tasks) {
            for (ServerTask eldest : tasks.values()) {
                eldest.dropState();
                if (memory.get() <= MAX_STATES) {
                    return;
                }
            }
        }
    }

    /// Notes the end of a connection.
    void lost(Connection connection, CallFailure cause) {
        all().stream().filter(task -> connection.equals(task.connection())).forEach(task -> task.lost(cause));
    }

    /// Lets the processes of all tasks go.
    void releaseAll() {
        all().forEach(ServerTask::release);
    }

    private List<ServerTask> all() {
        synchronized (tasks) {
            return List.copyOf(tasks.values());
        }
    }
}
